import type { LakeFile } from "./lake-file.ts";

/** Files of a lake on this machine, or brought to it as they are needed: then not all of them are there at once. */
export interface FileAccess {
  /** All paths at which the files may come to lie. */
  paths(files: readonly LakeFile[]): string[];
  /**
   * Reads files, some after the other: each is in one of the batches that `work` gets, and can be read at its path until that call ends. Calls
   * it once at least, and only once where all files lie on this machine. Throws exit 3 where one cannot be brought.
   */
  read<F extends LakeFile>(files: readonly F[], work: (batch: readonly F[]) => Promise<void>): Promise<void>;
  /** The same where no more than the first bytes and the footers are read; the files that `work` gets may have other paths. */
  readEnds<F extends LakeFile>(files: readonly F[], work: (batch: readonly F[]) => Promise<void>): Promise<void>;
}

/** Files that lie on this machine. */
export const LOCAL_FILES: FileAccess = {
  paths: (files) => files.map(({ path }) => path),
  read: (files, work) => work(files),
  readEnds: (files, work) => work(files),
};

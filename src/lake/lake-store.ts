import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FileVersion, LakeFile } from "./lake-file.ts";
import type { StagedLake } from "./staged-lake.ts";

/** `broken` is a symbolic link that leads nowhere; `special` a socket, pipe or device. */
export type EntryKind = "folder" | "file" | "broken" | "special";

export interface LakeEntry {
  readonly name: string;
  readonly kind: EntryKind;
}

/** Where a lake's folders are listed. Paths are POSIX and relative to the lake; the lake itself is "". */
export interface LakeStore {
  /** Direct children. Rejects with the system's error where the folder cannot be listed. */
  list(folder: string): Promise<readonly LakeEntry[]>;
  /** Null where the file is gone. */
  version(file: string): Promise<FileVersion | null>;
  /** Where DuckDB can read the file, an absolute path of this machine; of one that has to be staged before, its address. */
  localPath(file: string): string;
  /** Brings the files of several days to a private folder as they are needed; null where they lie on this machine already. */
  readonly stage: StageDays | null;
}

type StageDays = (days: readonly (readonly LakeFile[])[], folder: string, signal: AbortSignal) => Promise<StagedLake>;

/** A lake in a local folder (absolute path). Symbolic links are followed. */
export function localLakeStore(root: string): LakeStore {
  return {
    async list(folder) {
      const entries = await readdir(join(root, folder), { withFileTypes: true });
      return Promise.all(
        entries.map(async (entry): Promise<LakeEntry> => {
          const target = entry.isSymbolicLink() ? await followLink(join(root, folder, entry.name)) : entry;
          return { name: entry.name, kind: target === null ? "broken" : kindOf(target) };
        }),
      );
    },
    version: (file) => fileVersion(join(root, file)),
    localPath: (file) => join(root, file),
    stage: null,
  };
}

/** Null where the file is gone. Other errors (no permission) are the caller's. */
export async function fileVersion(path: string): Promise<FileVersion | null> {
  try {
    const found = await stat(path, { bigint: true });
    return { bytes: Number(found.size), mtimeNs: found.mtimeNs, inode: found.ino };
  } catch (error) {
    if (isGone(error)) {
      return null;
    }
    throw error;
  }
}

export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

function isGone(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR", "ELOOP"].includes(systemCode(error));
}

async function followLink(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (isGone(error)) {
      return null;
    }
    throw error;
  }
}

function kindOf(entry: { isDirectory(): boolean; isFile(): boolean }): EntryKind {
  return entry.isDirectory() ? "folder" : entry.isFile() ? "file" : "special";
}

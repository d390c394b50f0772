import {
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rmdir,
  stat,
  unlink,
  writeFile,
} from "node:fs/promises";

/** The file-system calls of a local store, one by one, so that a test can let any of them fail. */
export interface LocalFiles {
  read(path: string): Promise<Buffer>;
  /** Creates or truncates. */
  write(path: string, content: string): Promise<void>;
  /** Makes a file's content, or a folder's entries, survive a power failure. */
  sync(path: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  copyFile(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** One level. */
  mkdir(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
  stat(path: string): Promise<{ readonly size: number; readonly mtimeMs: number; isFile(): boolean }>;
  readdir(path: string): Promise<{ readonly name: string; isDirectory(): boolean }[]>;
}

export const SYSTEM_FILES: LocalFiles = {
  read: (path) => readFile(path),
  write: (path, content) => writeFile(path, content),
  async sync(path) {
    const handle = await open(path, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  link,
  rename,
  copyFile: (from, to) => copyFile(from, to),
  unlink,
  mkdir: (path) => mkdir(path),
  rmdir,
  stat,
  readdir: (path) => readdir(path, { withFileTypes: true }),
};

/** The system's name for what went wrong, such as `ENOSPC`; empty for other errors. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

export const isGone = (error: unknown): boolean => ["ENOENT", "ENOTDIR"].includes(errorCode(error));

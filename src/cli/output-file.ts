import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { usageError } from "../errors.ts";
import type { Io } from "./io.ts";

/** Writes a piece of the file. */
export type Write = (chunk: Uint8Array | string) => Promise<void>;

/** Writes the file that `--html FILE` and its like name: whole, or not at all. */
export async function writeOutput(io: Pick<Io, "cwd">, option: string, file: string, content: string): Promise<void> {
  await withOutput(io, option, file, (write) => write(content));
}

/**
 * The file that an option names, written piece by piece by `work`: it appears whole when `work` is done, and not at all where that
 * fails. A folder that is not there, or may not be written, is a mistake in the option (exit 2).
 */
export async function withOutput<T>(
  io: Pick<Io, "cwd">,
  option: string,
  file: string,
  work: (write: Write) => Promise<T>,
): Promise<T> {
  const path = resolve(io.cwd, file);
  const partial = `${path}.${randomBytes(4).toString("hex")}.part`;
  const refused = (error: unknown): never => {
    throw refusal(option, path, (error as NodeJS.ErrnoException).code) ?? error;
  };
  const handle = await open(partial, "wx").catch(refused);
  try {
    const result = await work(async (chunk) => {
      await handle.appendFile(chunk);
    });
    await handle.sync();
    await handle.close();
    await rename(partial, path).catch(refused);
    return result;
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(partial, { force: true }).catch(() => {});
    throw error;
  }
}

function refusal(option: string, path: string, code: string | undefined): Error | null {
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return usageError(`${option} ${path}: there is no folder ${dirname(path)}`, "Create it, or name another file.");
    case "EISDIR":
      return usageError(`${option} ${path} is a folder`, "Give the name of a file.");
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return usageError(`${option} ${path} may not be written`, "Name a file in a folder of yours.");
    default:
      return null;
  }
}

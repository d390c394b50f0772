import { randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { usageError } from "../errors.ts";
import type { Io } from "./io.ts";

/**
 * Writes the file that `--html FILE` and its like name: whole, or not at all. A folder that is not there, or may not be written,
 * is a mistake in the option (exit 2).
 */
export async function writeOutput(io: Pick<Io, "cwd">, option: string, file: string, content: string): Promise<void> {
  const path = resolve(io.cwd, file);
  const partial = `${path}.${randomBytes(4).toString("hex")}.part`;
  try {
    await writeFile(partial, content, { flag: "wx" });
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {});
    throw refusal(option, path, (error as NodeJS.ErrnoException).code) ?? error;
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

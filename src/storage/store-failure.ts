import { EXIT, PresenceError, usageError } from "../errors.ts";
import { errorCode } from "./local-files.ts";

/** What a mart's file system refuses, in the operator's words; anything else as it is. */
export function storeFailure(error: unknown, location: string): unknown {
  if (error instanceof PresenceError) return error;
  const { dest, path = location } = error as { dest?: string; path?: string };
  const place = dest ?? path;
  switch (errorCode(error)) {
    case "EROFS":
      return usageError(
        `the mart ${location} is on a read-only file system`,
        "Mount it writable, or give another --out.",
      );
    case "EACCES":
    case "EPERM":
      return usageError(`no permission to write ${place} of the mart`, "Run as the user who owns the mart.");
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
      return new PresenceError(EXIT.unexpected, `no space left for the mart ${location}: ${place} was not written`, {
        hint: "Free some space and run again: what was published is whole, and the next run mends the rest.",
        cause: error,
      });
    case "ENOTDIR":
    case "EEXIST":
      return usageError(`${place} is in the way: the mart ${location} needs a folder there`, "Give another --out.");
    default:
      return error;
  }
}

/** As `storeFailure`, of what was only to be read. */
export function readFailure(error: unknown, location: string): unknown {
  if (!["EACCES", "EPERM"].includes(errorCode(error))) return error;
  const { path = location } = error as { path?: string };
  return usageError(`no permission to read ${path} of the mart`, "Run as a user who may read the mart.");
}

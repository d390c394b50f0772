import { type PresenceError, usageError } from "../errors.ts";
import type { RebuildOptions } from "../plan/rebuild-options.ts";

/** Refuses what the contract names and this version cannot do: an option passed over in silence would give a wrong result. */
export function refuseNotYet(options: RebuildOptions): void {
  if (options.engine === "spark") throw notYet("engine spark", "leave --engine out: DuckDB runs the same SQL");
  if (options.lake.startsWith("s3://")) throw notYet("a lake on S3", "copy it to a folder and give that as --lake");
  if (options.out.startsWith("s3://")) throw notYet("a mart on S3", "give a folder as --out");
}

function notYet(what: string, hint: string): PresenceError {
  return usageError(`${what} is not in this version`, hint);
}

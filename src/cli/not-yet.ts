import { type PresenceError, usageError } from "../errors.ts";
import type { RebuildOptions } from "../plan/rebuild-options.ts";

/** Refuses what the contract names and this version cannot do: an option passed over in silence would give a wrong result. */
export function refuseNotYet(options: RebuildOptions): void {
  if (options.engine === "spark") throw notYet("engine spark", "leave --engine out: DuckDB runs the same SQL");
}

function notYet(what: string, hint: string): PresenceError {
  return usageError(`${what} is not in this version`, hint);
}

import { usageError } from "../errors.ts";
import { namedPeriod, type PeriodRequest } from "../plan/periods.ts";
import { type Flags, named } from "./mart-options.ts";

/** The week or month that flags name; null for none. Of several ways to name days, only one may be given. */
export function namedByFlags(flags: Flags): Exclude<PeriodRequest, { kind: "days" }> | null {
  const given = ["week", "month", "date", "from", "last"].filter((name) => flags[name] !== undefined);
  if (given.length > 1) {
    throw usageError(`--${given[1]} does not go with --${given[0]}`, "Name one period.", { key: `--${given[1]}` });
  }
  for (const kind of ["week", "month"] as const) {
    if (flags[kind] === undefined) continue;
    const name = String(flags[kind]);
    if (name !== "last") named(kind, () => namedPeriod(name));
    return kind === "week" ? { kind, week: name } : { kind, month: name };
  }
  return null;
}

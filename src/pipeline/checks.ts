import type { DuckDbSession } from "../engine/duckdb/session.ts";
import { EXIT, PresenceError } from "../errors.ts";
import { loadSql } from "./sql-files.ts";

/** What must hold before anything is published; each file gives the rows that break it. */
export const CHECKS = [
  ["C1", "90_checks/c1_events_accounted", "events owned = accepted + quarantined"],
  ["C2", "90_checks/c2_intervals_in_day", "every interval has end > start and lies in the day"],
  ["C3", "90_checks/c3_online_within_day", "0 < online_ms <= length of the day"],
  ["C4", "90_checks/c4_union_and_sum", "longest session <= online_ms <= session_ms"],
  ["C5", "90_checks/c5_nested_definitions", "active <= foreground <= connected"],
  ["C6", "90_checks/c6_intervals_apart", "no two intervals of one user or session overlap or touch"],
  ["C7", "90_checks/c7_values_in_place", "instants lie in the day and nothing is null that must not be"],
  ["C8", "90_checks/c8_unique_keys", "one row per key in every table"],
] as const;

export interface CheckResult {
  readonly check: string;
  readonly says: string;
  readonly violations: number;
  readonly examples: readonly { readonly subject: string; readonly problem: string }[];
}

const EXAMPLES = 3;

/** Runs all checks. Violations are in the results; nothing is thrown for them. */
export async function runChecks(session: Pick<DuckDbSession, "rows">): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const [check, file, says] of CHECKS) {
    const rows = await session.rows(
      `select subject, problem, count(*) over () as violations from (${loadSql(file)}) order by all limit ${EXAMPLES}`,
    );
    results.push({
      check,
      says,
      violations: Number(rows[0]?.violations ?? 0),
      examples: rows.map((row) => ({ subject: String(row.subject), problem: String(row.problem) })),
    });
  }
  return results;
}

/** Throws exit 6 where a check does not hold. */
export function assertChecks(day: string, results: readonly CheckResult[]): void {
  const broken = results.filter((result) => result.violations > 0);
  if (broken.length === 0) return;
  const said = broken.map(
    ({ check, says, violations, examples }) =>
      `${check} (${says}): ${violations} violations, such as ${examples.map(({ subject, problem }) => `${subject}: ${problem}`).join("; ")}`,
  );
  throw new PresenceError(EXIT.check, `${day} was not published: ${said.join(". ")}`, {
    hint: "This is a fault of the program, not of the lake. Keep the lake's files and report it.",
  });
}

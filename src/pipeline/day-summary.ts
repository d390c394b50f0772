import type { DuckDbSession, Row } from "../engine/duckdb/session.ts";
import { type CheckResult, runChecks } from "./checks.ts";
import {
  type DamagedSessions,
  type EventCounts,
  type MetricCounts,
  readDamagedSessions,
  readEventCounts,
  readMetricCounts,
} from "./read-counts.ts";

/** What a counted day tells of itself besides its tables. */
export interface DaySummary {
  readonly checks: readonly CheckResult[];
  readonly events: EventCounts;
  readonly metrics: readonly MetricCounts[];
  readonly damaged: DamagedSessions;
}

type Queries = Pick<DuckDbSession, "rows">;

/** Runs the checks and reads the counts when all stages have run. Broken checks are in the result; nothing is thrown for them. */
export async function readSummary(queries: Queries): Promise<DaySummary> {
  return {
    checks: await runChecks(queries),
    events: await readEventCounts(queries),
    metrics: await readMetricCounts(queries),
    damaged: await readDamagedSessions(queries),
  };
}

/** The queries of a summary, in order: for an engine that is asked all at once and answers later. */
export async function recordQueries(): Promise<readonly string[]> {
  const asked: string[] = [];
  await readSummary({
    async rows(sql) {
      asked.push(sql);
      return [];
    },
  });
  return asked;
}

/** The summary from the answers to `recordQueries`, in its order. */
export async function summaryOf(answers: readonly (readonly Row[])[]): Promise<DaySummary> {
  const left = answers.values();
  return readSummary({
    async rows() {
      const { value } = left.next();
      if (value === undefined) throw new Error("the answers are fewer than the queries");
      return [...value];
    },
  });
}

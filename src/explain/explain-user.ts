import type { DuckDbSession } from "../engine/duckdb/session.ts";
import { BECAUSE_STATEMENT, eventsStatement, REFERENCE_STATEMENT, sessionsStatement } from "./event-relations.ts";
import type { EventTotals, ExplainedSession } from "./explanation.ts";
import { type EventList, readEvents, readTotals } from "./read-events.ts";
import { readSessions, readTimes, type UserTimes } from "./read-times.ts";
import { RUNS_STATEMENT } from "./run-relations.ts";
import type { CountedBy } from "./run-stages.ts";
import { DEVICE_CUTS_STATEMENT, STEPS_STATEMENT } from "./step-relations.ts";

/** What is told of a user, from the relations that the stages have left behind. */
export interface ExplainedUser {
  readonly totals: EventTotals;
  readonly list: EventList;
  readonly sessions: readonly ExplainedSession[];
  readonly times: readonly UserTimes[];
}

export interface ListOptions {
  /** Runs of events that repeat each other are told by their first one. */
  readonly fold: boolean;
  /** Most events that are listed. */
  readonly limit: number;
}

export async function explainUser(
  session: DuckDbSession,
  userId: string,
  by: CountedBy,
  options: ListOptions,
): Promise<ExplainedUser> {
  for (const statement of [
    sessionsStatement(userId),
    BECAUSE_STATEMENT,
    eventsStatement(userId),
    REFERENCE_STATEMENT,
    STEPS_STATEMENT,
    DEVICE_CUTS_STATEMENT,
    RUNS_STATEMENT,
  ]) {
    await session.run(statement);
  }
  return {
    totals: await readTotals(session),
    list: await readEvents(session, by.definitions, options),
    sessions: await readSessions(session),
    times: await readTimes(session, userId, by.definitions.length),
  };
}

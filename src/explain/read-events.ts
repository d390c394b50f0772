import type { Definition } from "../definitions/definition.ts";
import type { DuckDbSession, Row } from "../engine/duckdb/session.ts";
import { ruleOf } from "../quarantine/reasons.ts";
import type { EventTotals, ExplainedEvent, Verdict } from "./explanation.ts";
import { foldedStepsOf, foldsOf, stepsOf } from "./read-steps.ts";
import { exact, reference, referenceOf, text } from "./row-values.ts";

export interface EventList {
  readonly events: readonly ExplainedEvent[];
  readonly leftOut: number;
}

/** Runs of at most this many events are listed one by one: a line that says "and 2 more" saves nothing. */
const SHORT_RUN = 3;

/**
 * Reads the listed events. `fold`: runs of events that only repeat each other are told by their first one; without it that
 * happens only where there are more than `limit`.
 */
export async function readEvents(
  session: DuckDbSession,
  definitions: readonly Definition[],
  { fold, limit }: { fold: boolean; limit: number },
): Promise<EventList> {
  const [all = {}] = await session.rows("select count(*) as events from explained_events");
  const folds = fold || Number(all.events) > limit;
  await session.run(`create table explained_list as
    select r.place, r.event_no, r.run_no, r.run_size > ${SHORT_RUN} and ${folds} as is_head
    from explained_runs r
    where r.in_run = 1 or r.run_size <= ${SHORT_RUN} or not ${folds}
    order by r.place limit ${limit}`);
  const [steps, foldedSteps, folded] = [
    await stepsOf(session, definitions),
    await foldedStepsOf(session),
    await foldsOf(session),
  ];
  const rows = await session.rows(`
    select e.*, f.path as source_file, e.event_no % 4294967296 as source_row, l.is_head, l.run_no, b.because_no, ${reference("b_")}
    from explained_list l
    join explained_events e on e.event_no = l.event_no
    join source_files f on f.file_no = e.event_no // 4294967296
    left join (select event_no, min(because_no) as because_no from explained_because group by event_no) b
      on b.event_no = e.event_no
    left join explained_references x on x.event_no = b.because_no
    order by l.place`);
  const events = rows.map((row, index): ExplainedEvent => {
    const run = folded.get(Number(row.run_no));
    const runSteps = foldedSteps.get(Number(row.run_no)) ?? [];
    return {
      ...eventOf(row, index + 1),
      steps: steps.get(Number(row.event_no)) ?? [],
      folded: row.is_head && run ? { ...run, steps: runSteps } : null,
    };
  });
  const listed = events.reduce((sum, event) => sum + 1 + (event.folded?.count ?? 0), 0);
  return { events, leftOut: Number(all.events) - listed };
}

export async function readTotals(session: DuckDbSession): Promise<EventTotals> {
  const [row = {}] = await session.rows(`
    select count(*) as events, count(*) filter (of_user) as of_user, count(*) filter (reason is null) as accepted
    from explained_events`);
  const reasons = await session.rows(`
    select reason, count(*) as events from explained_events where reason is not null group by reason
    order by events desc, reason`);
  return {
    events: Number(row.events),
    ofUser: Number(row.of_user),
    accepted: Number(row.accepted),
    quarantined: Object.fromEntries(reasons.map(({ reason, events }) => [String(reason), Number(events)])),
  };
}

function eventOf(row: Row, no: number): Omit<ExplainedEvent, "steps" | "folded"> {
  return {
    no,
    eventId: text(row.event_id),
    userId: text(row.user_id),
    sessionId: text(row.session_id),
    epoch: row.unread_session_epoch ? null : exact(row.epoch),
    sequence: exact(row.sequence),
    type: text(row.event_type),
    deviceId: text(row.device_id),
    timeMs: Number(row.time_ms),
    serverMs: exact(row.server_ms),
    clientMs: exact(row.client_ms),
    lastActiveMs: exact(row.last_active_ms),
    foreground: row.foreground as boolean | null,
    active: row.active as boolean | null,
    sourceFile: String(row.source_file),
    sourceRow: Number(row.source_row),
    ownedByDay: row.owned_by_day === true,
    ofUser: row.of_user === true,
    verdict: verdictOf(row),
  };
}

function verdictOf(row: Row): Verdict {
  const because = row.because_no === null ? null : referenceOf(row, "b_");
  if (row.reason !== null) {
    const reason = String(row.reason);
    // The detail of an unknown type is the type itself (R5).
    const detail = reason === "UNKNOWN_EVENT_TYPE" ? text(row.event_type) : text(row.detail);
    return { kind: "quarantined", reason, rule: ruleOf(reason), detail, because };
  }
  if (row.verdict !== null) return { kind: "timeout", verdict: row.verdict as "valid" | "none" };
  const moved = Number(row.tau_ms) < Number(row.server_ms);
  return { kind: "accepted", movedToMs: moved ? Number(row.tau_ms) : null, movedBy: moved ? because : null };
}

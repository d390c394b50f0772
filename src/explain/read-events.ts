import type { Definition } from "../definitions/definition.ts";
import type { DuckDbSession, Row } from "../engine/duckdb/session.ts";
import { ruleOf } from "../quarantine/reasons.ts";
import type {
  Earning,
  EventReference,
  EventTotals,
  Exact,
  ExplainedEvent,
  FoldedEvents,
  Step,
  Verdict,
} from "./explanation.ts";

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

async function stepsOf(session: DuckDbSession, definitions: readonly Definition[]): Promise<Map<number, Step[]>> {
  const rows = await session.rows(`
    select s.*, a.tau_ms as ordered_ms, ${reference("d_")}, c.because_no
    from explained_steps s
    join explained_list l on l.event_no = s.event_no
    join accepted_events a on a.event_no = s.event_no
    left join explained_device_cuts c on c.metric_no = s.metric_no and c.event_no = s.event_no
    left join explained_references x on x.event_no = c.because_no
    order by s.metric_no`);
  const steps = new Map<number, Step[]>();
  for (const row of rows) push(steps, Number(row.event_no), stepOf(row, definitions[Number(row.metric_no)]!));
  return steps;
}

function stepOf(row: Row, definition: Definition): Step {
  const [tauMs, slotEndMs] = [Number(row.tau_ms), Number(row.slot_end_ms)];
  const earning = row.earning as Earning;
  const gapMs = row.next_tau_ms === null ? null : Number(row.next_tau_ms) - tauMs;
  const names = [...definition.states.keys()];
  const mask = Number(row.own_mask);
  const holds = (bits: number, index: number) => Math.floor(bits / (4 * 2 ** index)) % 2 === 1;
  const cut = row.device_cut_ms !== null && Number(row.device_cut_ms) < slotEndMs;
  return {
    tauMs,
    movedByR13: tauMs < Number(row.ordered_ms),
    earning,
    gapMs,
    slotEndMs,
    cutBy:
      earning !== "tail" || slotEndMs - tauMs >= definition.tailMs
        ? null
        : gapMs === slotEndMs - tauMs
          ? "next-event"
          : "fence",
    foreground: row.foreground as boolean | null,
    states: names.filter((_, index) => holds(mask, index)),
    changes: [
      ...(row.foreground !== row.previous_foreground ? ["foreground"] : []),
      ...names.filter((_, index) => holds(mask, index) !== holds(Number(row.previous_mask), index)),
    ],
    interactionMs: row.told_ms === null ? null : Number(row.told_ms),
    onlineMs: Number(row.online_ms),
    deviceCut: cut
      ? { atMs: Number(row.device_cut_ms), by: row.because_no === null ? null : referenceOf(row, "d_") }
      : null,
    countedMs: Number(row.counted_ms),
  };
}

/** Runs by their number, without their head. */
async function foldsOf(session: DuckDbSession): Promise<Map<number, Omit<FoldedEvents, "steps">>> {
  const rows = await session.rows(`
    select r.run_no, r.event_type, count(*) as events, min(r.tau_ms) as first_ms, max(r.tau_ms) as last_ms,
      max_by(r.sequence, r.place) as last_sequence, max(r.place) as last_place, bool_and(r.is_outside) as is_outside, min(r.step_ms) as min_step_ms,
      max(r.step_ms) as max_step_ms
    from explained_runs r
    join explained_list l on l.run_no = r.run_no and l.is_head
    where r.in_run > 1
    group by r.run_no, r.event_type
    order by r.run_no, events desc, r.event_type`);
  const runs = new Map<number, Row[]>();
  for (const row of rows) push(runs, Number(row.run_no), row);
  return new Map([...runs].map(([runNo, ofTypes]) => [runNo, foldOf(ofTypes)]));
}

/** One run from its types' totals. */
function foldOf(ofTypes: readonly Row[]): Omit<FoldedEvents, "steps"> {
  const of = (name: string) => ofTypes.map((row) => Number(row[name]));
  const last = ofTypes.reduce((a, b) => (Number(b.last_place) > Number(a.last_place) ? b : a));
  return {
    count: of("events").reduce((sum, events) => sum + events, 0),
    types: Object.fromEntries(ofTypes.map((row) => [String(row.event_type), Number(row.events)])),
    outsideDay: ofTypes.every((row) => row.is_outside === true),
    firstMs: Math.min(...of("first_ms")),
    lastMs: Math.max(...of("last_ms")),
    lastSequence: exact(last.last_sequence),
    minStepMs: Math.min(...of("min_step_ms")),
    maxStepMs: Math.max(...of("max_step_ms")),
  };
}

async function foldedStepsOf(session: DuckDbSession): Promise<Map<number, FoldedEvents["steps"][number][]>> {
  const rows = await session.rows(`
    select r.run_no, s.metric_no, cast(sum(s.slot_end_ms - s.tau_ms) as bigint) as slot_ms,
      cast(sum(s.online_ms) as bigint) as online_ms, cast(sum(s.counted_ms) as bigint) as counted_ms
    from explained_runs r
    join explained_list l on l.run_no = r.run_no and l.is_head
    join explained_steps s on s.event_no = r.event_no
    where r.in_run > 1
    group by r.run_no, s.metric_no
    order by s.metric_no`);
  const steps = new Map<number, FoldedEvents["steps"][number][]>();
  for (const row of rows) {
    push(steps, Number(row.run_no), {
      slotMs: Number(row.slot_ms),
      onlineMs: Number(row.online_ms),
      countedMs: Number(row.counted_ms),
    });
  }
  return steps;
}

const REFERENCE = [
  "event_id",
  "user_id",
  "session_id",
  "epoch",
  "sequence",
  "event_type",
  "server_ms",
  "source_file",
  "source_row",
];

const reference = (prefix: string): string => REFERENCE.map((name) => `x.${name} as ${prefix}${name}`).join(", ");

function referenceOf(row: Row, prefix: string): EventReference {
  const of = (name: string) => row[`${prefix}${name}`];
  return {
    eventId: text(of("event_id")),
    userId: text(of("user_id")),
    sessionId: text(of("session_id")),
    epoch: exact(of("epoch")),
    sequence: exact(of("sequence")),
    type: text(of("event_type")),
    serverMs: exact(of("server_ms")),
    sourceFile: String(of("source_file")),
    sourceRow: Number(of("source_row")),
  };
}

export const text = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));

/** A whole number of the lake: exact, whatever its size. */
export function exact(value: unknown): Exact | null {
  if (value === null || value === undefined) return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

import type { Definition } from "../definitions/definition.ts";
import type { DuckDbSession, Row } from "../engine/duckdb/session.ts";
import type { Earning, FoldedEvents, Step } from "./explanation.ts";
import { exact, push, reference, referenceOf } from "./row-values.ts";

/** The steps of listed events, by event_no, in the order of the definitions. */
export async function stepsOf(
  session: DuckDbSession,
  definitions: readonly Definition[],
): Promise<Map<number, Step[]>> {
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
export async function foldsOf(session: DuckDbSession): Promise<Map<number, Omit<FoldedEvents, "steps">>> {
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

/** What a run without its head amounts to, by definition. */
export async function foldedStepsOf(session: DuckDbSession): Promise<Map<number, FoldedEvents["steps"][number][]>> {
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

import { zoneClock } from "../explain/clock.ts";
import type { ExplainedEvent, Explanation } from "../explain/explanation.ts";
import { type Content, type Markup, markup } from "./markup.ts";
import { table } from "./table.ts";
import { eventWords } from "./timeline-lanes.ts";
import { whole } from "./words.ts";

/** Rows of a page; the text of `explain --all-events` and its JSON have every event. */
const MAX_ROWS = 400;

/** The events of each session in words. What only repeats the one before is told together. */
export function eventsTable(explanation: Explanation, metricNo: number): Markup {
  const clock = zoneClock(explanation.zone, explanation.readMs);
  const runs = runsOf(explanation.events, metricNo);
  const shown = runs.slice(0, MAX_ROWS);
  const rows = shown.map(({ first, rest }): Content[] => {
    const session = explanation.sessions.find(({ sessionId }) => sessionId === first.sessionId);
    const step = first.steps[metricNo];
    const words = eventWords(first, explanation, metricNo, session, clock);
    const more = rest.length === 0 ? "" : `; … ${whole(rest.length)} more to #${rest.at(-1)!.sequence}, as this one`;
    const counted = [first, ...rest].reduce((sum, { steps }) => sum + (steps[metricNo]?.countedMs ?? 0), 0);
    return [
      clock.time(step?.tauMs ?? first.timeMs),
      first.sessionId ?? "–",
      first.sequence === null ? "" : `#${first.sequence}`,
      first.type ?? "(no type)",
      first.verdict.kind === "quarantined" ? markup`<span class="bad">${words}</span>` : `${words}${more}`,
      step ? whole(counted) : "",
    ];
  });
  const left = runs.length - shown.length + explanation.eventsLeftOut;
  return markup`${table(
    null,
    [
      { title: "Time" },
      { title: "Session", kind: "id" },
      { title: "Sequence", kind: "number" },
      { title: "Event" },
      { title: "What it does", kind: "prose" },
      { title: "Counts, ms", kind: "number" },
    ],
    rows,
    { stacked: true },
  )}${left > 0 ? markup`<p class="muted small">${whole(left)} more are in <code>explain --json</code>.</p>` : null}`;
}

interface Run {
  readonly first: ExplainedEvent;
  readonly rest: ExplainedEvent[];
}

/** An event that opens a slot up to the next one and changes nothing repeats the one before, if that does the same. */
function runsOf(events: readonly ExplainedEvent[], metricNo: number): Run[] {
  const runs: Run[] = [];
  for (const event of events) {
    const last = runs.at(-1);
    const repeats = last && isPlain(event, metricNo) && isPlain(last.rest.at(-1) ?? last.first, metricNo);
    if (repeats && event.sessionId === last.first.sessionId && event.type === last.first.type) last.rest.push(event);
    else runs.push({ first: event, rest: [] });
  }
  return runs;
}

function isPlain({ verdict, steps, ofUser }: ExplainedEvent, metricNo: number): boolean {
  const step = steps[metricNo];
  return (
    ofUser &&
    verdict.kind === "accepted" &&
    verdict.movedToMs === null &&
    step?.earning === "gap" &&
    step.changes.length === 0 &&
    step.deviceCut === null &&
    !step.movedByR13 &&
    step.onlineMs === step.slotEndMs - step.tauMs &&
    step.countedMs === step.onlineMs
  );
}

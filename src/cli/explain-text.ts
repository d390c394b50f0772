import { type ZoneClock, zoneClock } from "../explain/clock.ts";
import type { ExplainedDefinition } from "../explain/explained-definition.ts";
import type { ExplainedEvent, ExplainedSession, Explanation, Step } from "../explain/explanation.ts";
import { foldText, heldText, stepText } from "../explain/step-text.ts";
import { verdictText } from "../explain/verdict-text.ts";
import { reasonText } from "../quarantine/reasons.ts";
import { type Paint, printable } from "./ansi.ts";
import { headText } from "./explain-head.ts";
import { activityLines, sumLines } from "./explain-sum.ts";
import { count, countOf } from "./format.ts";
import { wrap } from "./wrap.ts";

const SEQUENCE_WIDTH = 6;
const TYPE_WIDTH = 15;
const AMOUNT_WIDTH = 11;
const MIN_WIDTH = 100;

/** An explanation for a terminal: the answer first, then each event in order, then the sum. */
export function explainText(explanation: Explanation, paint: Paint, columns: number): string {
  const clock = zoneClock(explanation.zone, explanation.readMs);
  const page: Page = { explanation, clock, paint, width: Math.max(columns, MIN_WIDTH) };
  const lines = headText(explanation, clock, paint);
  for (const metricNo of explanation.definitions.keys()) lines.push("", ...definitionLines(page, metricNo));
  lines.push(...reasonLines(page), "", "[R1] to [R22] are the rules: sql/README.md of presence-batch has them.");
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

interface Page {
  readonly explanation: Explanation;
  readonly clock: ZoneClock;
  readonly paint: Paint;
  readonly width: number;
}

function definitionLines(page: Page, metricNo: number): string[] {
  const { explanation, clock, paint } = page;
  const definition = explanation.definitions[metricNo]!;
  const lines: string[] = [];
  const ids = [...new Set(explanation.events.map(({ sessionId }) => sessionId))];
  for (const id of ids) {
    const events = explanation.events.filter(({ sessionId }) => sessionId === id);
    const session = explanation.sessions.find(({ sessionId }) => sessionId === id);
    lines.push(...sessionTitle(page, id, session, definition), ...eventLines(page, events, session, metricNo));
    lines.push(...activityLines(definition, id, clock), "");
  }
  if (explanation.eventsLeftOut > 0) {
    lines.push(`… ${countOf(explanation.eventsLeftOut, "more event")} not listed: see --limit, or --json`, "");
  }
  return [...lines, ...sumLines(explanation, definition, clock, paint)];
}

function sessionTitle(
  { paint }: Page,
  id: string | null,
  session: ExplainedSession | undefined,
  definition: ExplainedDefinition,
): string[] {
  if (id === null) return [paint.bold("Events without a session")];
  const { deviceId, clientType, appVersion, owner, ofUser } = session ?? { ofUser: true };
  const names = [
    ...(deviceId ? [`device ${deviceId}`] : []),
    ...(clientType ? [[clientType, appVersion].filter(Boolean).join(" ")] : []),
  ];
  const title = paint.bold(printable(`Session ${id}${names.length ? ` (${names.join(", ")})` : ""}`));
  const tooLong = definition.sessions.some((time) => time.sessionId === id && time.tooLong);
  if (tooLong) return [title, paint.yellow("  counts nothing: SESSION_TOO_LONG [R19]")];
  if (ofUser || !session) return [title];
  return [
    title,
    owner === null
      ? "  belongs to nobody: no client event tells whose it is [R8]"
      : printable(`  belongs to user ${owner} [R8]`),
  ];
}

function eventLines(
  page: Page,
  events: readonly ExplainedEvent[],
  session: ExplainedSession | undefined,
  metricNo: number,
): string[] {
  const { explanation, clock } = page;
  const { startMs, endMs } = explanation.dayMs;
  const connections = new Set(events.map(({ epoch }) => epoch)).size > 1;
  const lines: string[] = [heading(page)];
  let before: ExplainedEvent | undefined;
  let held: Step | undefined;
  for (const event of events) {
    const at = shownAt(event, metricNo);
    const previous = before === undefined ? null : shownAt(before, metricNo);
    for (const [edge, what] of [
      [startMs, "begins"],
      [endMs, "ends"],
    ] as const) {
      if (previous === null || previous >= edge || at < edge) continue;
      const states = held && edge === startMs ? heldText(held, explanation.definitions[metricNo]!) : "";
      lines.push(`  ${clock.time(edge)}  -- ${explanation.day} ${what}${states} --`);
    }
    if (connections && event.epoch !== before?.epoch) lines.push(`  -- connection ${event.epoch ?? "unknown"} --`);
    lines.push(...eventLine(page, event, session, metricNo));
    if (event.folded)
      lines.push(
        ...row(page, at, ["", "", foldText(event, metricNo), event.folded.steps[metricNo]?.countedMs ?? null], true),
      );
    before = event;
    held = event.steps[metricNo] ?? held;
  }
  return lines;
}

const shownAt = (event: ExplainedEvent, metricNo: number): number => event.steps[metricNo]?.tauMs ?? event.timeMs;

function eventLine(
  page: Page,
  event: ExplainedEvent,
  session: ExplainedSession | undefined,
  metricNo: number,
): string[] {
  const { explanation, clock, paint } = page;
  const step = event.steps[metricNo];
  const texts = [
    ...(event.ofUser ? [] : [`of user ${event.userId ?? "(none)"}`]),
    verdictText(event, session, clock),
    ...(step ? [stepText(step, explanation.definitions[metricNo]!, explanation.dayMs, clock)] : []),
  ].filter((part) => part !== "");
  const sequence = event.sequence === null ? "" : `#${event.sequence}`;
  const lines = row(
    page,
    shownAt(event, metricNo),
    [sequence, event.type ?? "(no type)", texts.join("; "), step?.countedMs ?? null],
    false,
  );
  return event.verdict.kind === "quarantined" ? lines.map((line) => paint.yellow(line)) : lines;
}

type Cells = readonly [sequence: string, type: string, text: string, amount: number | null];

function row(page: Page, atMs: number, [sequence, type, text, amount]: Cells, continued: boolean): string[] {
  const time = page.clock.time(atMs);
  const lead = `  ${continued ? " ".repeat(time.length) : time}  ${sequence.padEnd(SEQUENCE_WIDTH)} ${printable(type).padEnd(TYPE_WIDTH)} `;
  const [first = "", ...more] = wrap(printable(text), Math.max(30, page.width - lead.length - AMOUNT_WIDTH));
  const shown = amount === null ? "" : count(amount).padStart(AMOUNT_WIDTH);
  return [
    `${lead}${first.padEnd(page.width - lead.length - AMOUNT_WIDTH)}${shown}`,
    ...more.map((line) => `${" ".repeat(lead.length)}${line}`),
  ];
}

function heading(page: Page): string {
  const time = page.clock.time(page.explanation.dayMs.startMs).length;
  const lead = `  ${"time".padEnd(time)}  ${"#".padEnd(SEQUENCE_WIDTH)} ${"event".padEnd(TYPE_WIDTH)} what it does, accepted unless said`;
  return `${lead.padEnd(page.width - AMOUNT_WIDTH)}${"counted ms".padStart(AMOUNT_WIDTH)}`;
}

/** What the reasons that occur mean in general, once each. */
function reasonLines({ explanation, paint, width }: Page): string[] {
  const tooLong = explanation.definitions.some(({ sessions }) => sessions.some((session) => session.tooLong));
  const reasons = [...Object.keys(explanation.counts.quarantined), ...(tooLong ? ["SESSION_TOO_LONG"] : [])];
  if (reasons.length === 0) return [];
  const lines = reasons.flatMap((reason) => {
    const { rule, means, todo } = reasonText(reason);
    return wrap(`${reason} [${rule}]: ${means} ${todo}`, width - 4).map(
      (line, i) => `${i === 0 ? "  " : "    "}${line}`,
    );
  });
  return ["", paint.bold("What the reasons mean"), ...lines];
}

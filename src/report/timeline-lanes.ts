import { lasting, type ZoneClock } from "../explain/clock.ts";
import type { ExplainedDefinition, Interval } from "../explain/explained-definition.ts";
import type { ExplainedEvent, ExplainedSession, Explanation } from "../explain/explanation.ts";
import { stepText } from "../explain/step-text.ts";
import { verdictText } from "../explain/verdict-text.ts";
import { union } from "./broken-scale.ts";

/** One session, or the events that name none, as a picture shows it. */
export interface Lane {
  readonly title: string;
  /** Why nothing of it counts, where so. */
  readonly note: string | null;
  readonly marks: readonly Mark[];
  readonly bands: readonly Band[];
  /** Silences that are longer than `gap.max`, with what they earned. */
  readonly silences: readonly (Interval & { readonly earnedMs: number })[];
}

/** An event as a mark. */
export interface Mark {
  readonly atMs: number;
  readonly kind: "event" | "moved" | "timeout" | "quarantined";
  /** The event in words. */
  readonly says: string;
}

/** When a state held, or time counted. */
export interface Band {
  readonly name: string;
  readonly intervals: readonly Interval[];
}

/** Events that lie further from the day than this are not drawn. */
const MARGIN_MS = 15 * 60_000;

/** What of an explanation is drawn: the day's events and a little around them. */
export function lanesOf(explanation: Explanation, metricNo: number, clock: ZoneClock): Lane[] {
  const definition = explanation.definitions[metricNo]!;
  const { startMs, endMs } = explanation.dayMs;
  const drawn = { startMs: startMs - MARGIN_MS, endMs: endMs + MARGIN_MS };
  const ids = [...new Set(explanation.events.map(({ sessionId }) => sessionId))];
  return ids.flatMap((id) => {
    const events = explanation.events.filter((event) => event.sessionId === id);
    const session = explanation.sessions.find(({ sessionId }) => sessionId === id);
    const lane = laneOf(explanation, metricNo, events, session, clock, drawn);
    const counts = definition.sessions.find(({ sessionId }) => sessionId === id)?.inDay ?? [];
    return lane.marks.length > 0 || counts.length > 0 ? [lane] : [];
  });
}

function laneOf(
  explanation: Explanation,
  metricNo: number,
  events: readonly ExplainedEvent[],
  session: ExplainedSession | undefined,
  clock: ZoneClock,
  drawn: Interval,
): Lane {
  const definition = explanation.definitions[metricNo]!;
  const time = definition.sessions.find(({ sessionId }) => sessionId === session?.sessionId);
  const steps = events.flatMap((event) => event.steps[metricNo] ?? []);
  const slots = steps.filter(({ tauMs, slotEndMs }) => slotEndMs > tauMs);
  const within = (intervals: readonly Interval[]) => clipped(union(intervals), drawn);
  const slotsWith = (holds: (step: (typeof slots)[number]) => boolean) =>
    within(slots.filter(holds).map(({ tauMs, slotEndMs }) => ({ startMs: tauMs, endMs: slotEndMs })));
  const states = [...new Set(slots.flatMap((step) => step.states))];
  return {
    title: titleOf(session),
    note: noteOf(session, time?.tooLong ?? false),
    marks: events.flatMap((event) => markOf(event, explanation, metricNo, session, clock, drawn)),
    bands: [
      { name: "connected", intervals: slotsWith(() => true) },
      ...(slots.some(({ foreground }) => foreground !== null)
        ? [{ name: "foreground", intervals: slotsWith(({ foreground }) => foreground === true) }]
        : []),
      ...(definition.idleMs !== null ? [{ name: "active", intervals: within(time?.activity ?? []) }] : []),
      ...states.map((name) => ({ name, intervals: slotsWith((step) => step.states.includes(name)) })),
      { name: COUNTS, intervals: within(time?.inDay ?? []) },
    ],
    silences: slots.flatMap(({ earning, tauMs, gapMs, slotEndMs }) => {
      const silence = { startMs: slotEndMs, endMs: tauMs + (gapMs ?? 0), earnedMs: slotEndMs - tauMs };
      return earning === "credit" && silence.endMs > drawn.startMs && silence.startMs < drawn.endMs ? [silence] : [];
    }),
  };
}

/** The band of what counts. */
export const COUNTS = "counts";

function titleOf(session: ExplainedSession | undefined): string {
  if (!session) return "Events without a session";
  const { sessionId, deviceId, clientType, appVersion } = session;
  const client = [clientType, appVersion].filter((part) => part !== null).join(" ");
  return [`Session ${sessionId}`, ...(deviceId ? [`device ${deviceId}`] : []), ...(client ? [client] : [])].join(" · ");
}

function noteOf(session: ExplainedSession | undefined, tooLong: boolean): string | null {
  if (tooLong) return "counts nothing: longer than maxSession [R19]";
  if (!session || session.ofUser) return null;
  return session.owner === null ? "belongs to nobody [R8]" : `belongs to user ${session.owner} [R8]`;
}

function markOf(
  event: ExplainedEvent,
  explanation: Explanation,
  metricNo: number,
  session: ExplainedSession | undefined,
  clock: ZoneClock,
  drawn: Interval,
): Mark[] {
  const step = event.steps[metricNo];
  const atMs = step?.tauMs ?? event.timeMs;
  if (atMs < drawn.startMs || atMs >= drawn.endMs) return [];
  return [{ atMs, kind: kindOf(event), says: eventSays(event, explanation, metricNo, session, clock) }];
}

function kindOf({ verdict }: ExplainedEvent): Mark["kind"] {
  if (verdict.kind === "accepted") return verdict.movedToMs === null ? "event" : "moved";
  return verdict.kind === "timeout" ? "timeout" : "quarantined";
}

/** `12:01:19.500 #1 SESSION_START: next after 6.184s [R14]; foreground on [R15]`. */
function eventSays(
  event: ExplainedEvent,
  explanation: Explanation,
  metricNo: number,
  session: ExplainedSession | undefined,
  clock: ZoneClock,
): string {
  const step = event.steps[metricNo];
  const head = [
    clock.time(step?.tauMs ?? event.timeMs),
    ...(event.sequence === null ? [] : [`#${event.sequence}`]),
    event.type ?? "(no type)",
  ];
  const words = eventWords(event, explanation, metricNo, session, clock);
  return `${head.join(" ")}${words === "" ? "" : `: ${words}`}`;
}

/** What became of an event and what it does, in words. */
export function eventWords(
  event: ExplainedEvent,
  explanation: Explanation,
  metricNo: number,
  session: ExplainedSession | undefined,
  clock: ZoneClock,
): string {
  const step = event.steps[metricNo];
  return [
    ...(event.ofUser ? [] : [`of user ${event.userId ?? "(none)"}`]),
    verdictText(event, session, clock),
    ...(step ? [stepText(step, explanation.definitions[metricNo]!, explanation.dayMs, clock)] : []),
  ]
    .filter((part) => part !== "")
    .join("; ");
}

const clipped = (intervals: readonly Interval[], { startMs, endMs }: Interval): Interval[] =>
  intervals.flatMap((interval) => {
    const part = { startMs: Math.max(interval.startMs, startMs), endMs: Math.min(interval.endMs, endMs) };
    return part.endMs > part.startMs ? [part] : [];
  });

/** `online 7m 06.311s`. */
export const sumSays = ({ onlineMs, sessionMs }: ExplainedDefinition): string =>
  sessionMs > onlineMs ? `Online ${lasting(onlineMs)}: what sessions share counts once` : `Online ${lasting(onlineMs)}`;

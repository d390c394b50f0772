import { lasting, type ZoneClock } from "../explain/clock.ts";
import type { ExplainedDefinition, Interval, SessionTime } from "../explain/explained-definition.ts";
import type { Explanation } from "../explain/explanation.ts";
import { formatDuration } from "../plan/duration.ts";
import { type Paint, printable } from "./ansi.ts";
import { id } from "./explain-head.ts";
import { count, countOf } from "./format.ts";

/** More intervals than these of a session, or of the union, are counted only. */
const MAX_INTERVALS = 12;
const WIDTH = 100;

/** R16: when the session's user was active, and what ended it. */
export function activityLines(definition: ExplainedDefinition, sessionId: string | null, clock: ZoneClock): string[] {
  const session = definition.sessions.find((candidate) => candidate.sessionId === sessionId);
  if (!session || session.activity.length === 0) return [];
  const idle = formatDuration(definition.idleMs ?? 0);
  const shown = session.activity.slice(0, MAX_INTERVALS).map(({ startMs, endMs, interactions, endedByIdle }) => {
    const end = endedByIdle ? "ended by USER_IDLE" : `until ${idle} after the last`;
    return `    ${clock.time(startMs)} to ${clock.time(endMs)}  ${countOf(interactions, "interaction")}, ${end}`;
  });
  return ["  active, where in the foreground [R16]:", ...shown, ...more(session.activity.length, "interval")];
}

/** From the sessions' times to the user's number. */
export function sumLines(
  explanation: Explanation,
  definition: ExplainedDefinition,
  clock: ZoneClock,
  paint: Paint,
): string[] {
  const { dayMs, day } = explanation;
  const withTime = definition.sessions.filter(({ online }) => online.length > 0);
  const lines = [paint.bold(`The sum under ${id(definition)}`)];
  for (const session of withTime) lines.push(...sessionLines(explanation, definition, session, clock));
  if (withTime.length === 0) lines.push("  no session has online time");
  const shared = definition.sessionMs - definition.onlineMs;
  lines.push(amount("sessions together", definition.sessionMs));
  if (shared > 0) lines.push(amount("less what they share: time counts once [R21]", -shared));
  if (definition.sessions.filter(({ inDayMs }) => inDayMs > 0).length > 1) {
    lines.push("  union over sessions and devices [R21]", ...intervalLines(definition.intervals, dayMs, clock));
  }
  lines.push(paint.bold(amount(`online on ${day}`, definition.onlineMs)));
  return lines;
}

function sessionLines(
  explanation: Explanation,
  definition: ExplainedDefinition,
  session: SessionTime,
  clock: ZoneClock,
): string[] {
  const { dayMs, sessions } = explanation;
  const device = sessions.find(({ sessionId }) => sessionId === session.sessionId)?.deviceId;
  const title = printable(`  session ${session.sessionId}${device ? `, device ${device}` : ""}`);
  const total = (intervals: readonly Interval[]) =>
    intervals.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  if (session.tooLong) {
    const limit = formatDuration(definition.maxSessionMs ?? 0);
    return [
      title,
      `    SESSION_TOO_LONG [R19]: ${lasting(total(session.online))} is more than ${limit}, so it counts nothing`,
    ];
  }
  const cut = total(session.online) - total(session.counted);
  const outside = total(session.counted) - session.inDayMs;
  return [
    title,
    ...intervalLines(
      session.counted.filter((each) => each.endMs > dayMs.startMs && each.startMs < dayMs.endMs),
      dayMs,
      clock,
    ),
    ...(cut > 0 ? [`    without ${lasting(cut)} on which another device had taken over [R20]`] : []),
    ...(outside > 0 ? [`    without ${lasting(outside)} before and after the day [R22]`] : []),
    amount("  in the day", session.inDayMs),
  ];
}

function intervalLines(intervals: readonly Interval[], dayMs: Interval, clock: ZoneClock): string[] {
  const lines = intervals.slice(0, MAX_INTERVALS).map(({ startMs, endMs }) => {
    const [start, end] = [Math.max(startMs, dayMs.startMs), Math.min(endMs, dayMs.endMs)];
    const cut = start > startMs || end < endMs ? " (cut at midnight)" : "";
    return amount(`  ${clock.time(start)} to ${clock.time(end)}${cut}`, end - start);
  });
  return [...lines, ...more(intervals.length, "interval")];
}

const more = (length: number, noun: string): string[] =>
  length > MAX_INTERVALS ? [`    … and ${countOf(length - MAX_INTERVALS, `more ${noun}`)}`] : [];

/** A line of the sum: what, how long, and the exact ms at the right. */
function amount(what: string, ms: number): string {
  const sign = ms < 0 ? "-" : "";
  const tail = `${`${sign}${lasting(Math.abs(ms))}`.padStart(18)}${`${sign}${count(Math.abs(ms))}`.padStart(14)} ms`;
  return `  ${what}`.padEnd(WIDTH - tail.length) + tail;
}

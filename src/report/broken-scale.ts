import { scaleLinear } from "d3-scale";
import type { Interval } from "../explain/explained-definition.ts";

/** A stretch of time that is drawn to scale. */
export interface Stretch extends Interval {
  readonly fromX: number;
  readonly toX: number;
}

/** A time axis on which long silences are cut out, each to the same short length. */
export interface BrokenScale {
  (ms: number): number;
  readonly stretches: readonly Stretch[];
}

/** A silence shorter than this is never cut out. */
const LEAST_BREAK_MS = 60_000;
/** A silence is cut out where it is longer than this share of all the time that is not. */
const BREAK_SHARE = 0.1;
const LEAST_STRETCH_PX = 14;

/**
 * The scale of times at which something happens: what lies between two of them, and is long beside them, is cut out, the longest
 * silences first, at most `breaks` of them.
 */
export function brokenScale(
  busy: readonly Interval[],
  [from, to]: readonly [from: number, to: number],
  { breaks, breakPx }: { readonly breaks: number; readonly breakPx: number },
): BrokenScale {
  const merged = union(busy);
  const busyMs = merged.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  const gaps = merged.slice(1).map(({ startMs }, i) => ({ after: i, ms: startMs - merged[i]!.endMs }));
  const cut = new Set(
    gaps
      .filter(({ ms }) => ms > Math.max(LEAST_BREAK_MS, busyMs * BREAK_SHARE))
      .sort((a, b) => b.ms - a.ms || a.after - b.after)
      .slice(0, breaks)
      .map(({ after }) => after),
  );
  const times: { startMs: number; endMs: number }[] = [];
  for (const [i, { startMs, endMs }] of merged.entries()) {
    const last = times.at(-1);
    if (last && !cut.has(i - 1)) last.endMs = endMs;
    else times.push({ startMs, endMs });
  }
  const room = to - from - breakPx * (times.length - 1);
  const all = times.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  const free = Math.max(0, room - LEAST_STRETCH_PX * times.length);
  let at = from;
  const stretches = times.map(({ startMs, endMs }): Stretch => {
    const length = LEAST_STRETCH_PX + (all > 0 ? (free * (endMs - startMs)) / all : free / times.length);
    const stretch = { startMs, endMs, fromX: at, toX: at + length };
    at += length + breakPx;
    return stretch;
  });
  const scale = scaleLinear(
    stretches.flatMap(({ startMs, endMs }) => [startMs, endMs]),
    stretches.flatMap(({ fromX, toX }) => [fromX, toX]),
  ).clamp(true);
  return Object.assign((ms: number) => scale(ms), { stretches });
}

/** Intervals without overlaps, in order; never empty ones. */
export function union(intervals: readonly Interval[]): Interval[] {
  const merged: { startMs: number; endMs: number }[] = [];
  for (const { startMs, endMs } of [...intervals].sort((a, b) => a.startMs - b.startMs)) {
    const last = merged.at(-1);
    if (last && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
    else if (endMs > startMs) merged.push({ startMs, endMs });
  }
  return merged;
}

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const TICKS_MS = [
  SECOND,
  5 * SECOND,
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
];

/**
 * Places on the axis that are worth a name: full minutes or hours of the day that begins at `dayStartMs`, as far apart in px as
 * names need. A stretch in which none falls has its start.
 */
export function brokenTicks({ stretches }: BrokenScale, dayStartMs: number, apartPx: number): number[] {
  return stretches.flatMap(({ startMs, endMs, fromX, toX }) => {
    const pxPerMs = (toX - fromX) / (endMs - startMs);
    const step = TICKS_MS.find((ms) => ms * pxPerMs >= apartPx) ?? TICKS_MS.at(-1)!;
    const first = dayStartMs + Math.ceil((startMs - dayStartMs) / step) * step;
    const ticks: number[] = [];
    for (let at = first; at <= endMs; at += step) ticks.push(at);
    return ticks.length > 0 ? ticks : [startMs];
  });
}

/** Half-open intervals `[start, end)` of whole ms. */

export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** The union: sorted, none empty; touching intervals merge (R18). */
export function union(intervals: Iterable<Interval>): Interval[] {
  const merged: { start: number; end: number }[] = [];
  const sorted = [...intervals].filter((i) => i.end > i.start).sort((a, b) => a.start - b.start);
  for (const { start, end } of sorted) {
    const last = merged.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

/** The parts of the intervals that lie within `[start, end)`. */
export function within(intervals: Iterable<Interval>, start: number, end: number): Interval[] {
  return [...intervals]
    .map((i) => ({ start: Math.max(i.start, start), end: Math.min(i.end, end) }))
    .filter((i) => i.end > i.start);
}

export function totalLength(intervals: Iterable<Interval>): number {
  let sum = 0;
  for (const { start, end } of intervals) sum += end - start;
  return sum;
}

export function covers(intervals: Iterable<Interval>, instant: number): boolean {
  for (const { start, end } of intervals) if (start <= instant && instant < end) return true;
  return false;
}

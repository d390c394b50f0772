import type { Interval } from "../explain/explained-definition.ts";
import type { Tick } from "./chart-frame.ts";

/** Instants as the clocks of the business zone show them, as short as a picture needs. */
export interface DayClock {
  /** `20:05`. */
  time(ms: number): string;
  /** `07-29`. */
  date(ms: number): string;
  /** `20:05`, over several days `07-29 20:05`. */
  instant(ms: number): string;
}

const HOUR_MS = 3_600_000;
/** A day with a change of the clocks may have 25 hours. */
const ONE_DAY_MS = 26 * HOUR_MS;

/** The clock of a zone, for a picture of that time. */
export function dayClock(zone: string, { startMs, endMs }: Interval): DayClock {
  const time = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hourCycle: "h23",
    hour: "2-digit",
    minute: "2-digit",
  });
  const date = new Intl.DateTimeFormat("en-CA", { timeZone: zone, month: "2-digit", day: "2-digit" });
  const several = endMs - startMs > ONE_DAY_MS;
  const clock = { time: (ms: number) => time.format(ms), date: (ms: number) => date.format(ms) };
  return { ...clock, instant: (ms) => (several ? `${clock.date(ms)} ${clock.time(ms)}` : clock.time(ms)) };
}

/** Full hours of a day, or the starts of several. */
export function timeTicks(clock: DayClock, { startMs, endMs }: Interval, dayStarts: readonly number[]): Tick[] {
  if (dayStarts.length > 1) return dayStarts.map((at) => ({ at, label: clock.date(at) }));
  const hours: Tick[] = [];
  for (let at = startMs; at <= endMs; at += HOUR_MS) hours.push({ at, label: at === endMs ? "24:00" : clock.time(at) });
  return hours;
}

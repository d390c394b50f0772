import { DateTime } from "luxon";
import { usageError } from "../errors.ts";
import type { DayWindow, ReadWindow } from "./day-window.ts";
import type { LakeSettings } from "./settings.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** More days than this in one run is a typo in a year. */
export const MAX_DAYS = 3_700;

/** Which business days a command was asked for, as it was asked: dates may still be `today` or `yesterday`. */
export type DayRequest =
  | { readonly kind: "date"; readonly date: string }
  | { readonly kind: "range"; readonly from: string; readonly to: string }
  | { readonly kind: "last"; readonly count: number }
  | { readonly kind: "none" };

/**
 * The business day: from the start of the date to the start of the next date of the calendar. A date that the zone skipped has
 * no length. Never depends on the machine's zone nor on the time of year.
 */
export function dayWindow(zone: string, day: string): DayWindow {
  return { zone, day, startMs: startOfDate(zone, day), endMs: startOfDate(zone, addDays(day, 1)) };
}

// startOf("day") alone would give any of two midnights where the clock repeats one, depending on the offset at the time of the
// run; its possible offsets hold both, and around a skipped midnight the instant of the skip is the smallest.
function startOfDate(zone: string, day: string): number {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  const midnight = DateTime.fromObject({ year, month, day: date }, { zone }).startOf("day");
  if (!midnight.isValid) throw usageError(`no day ${day} in time zone ${zone}: ${midnight.invalidExplanation ?? ""}`);
  return Math.min(...midnight.getPossibleOffsets().map((instant) => instant.toMillis()));
}

/** R1: the window that the results of a day depend on. */
export function readWindow(window: DayWindow, settings: LakeSettings): ReadWindow {
  return { startMs: window.startMs - settings.lookbackMs, endMs: window.endMs + settings.lookaheadMs };
}

/** The starts (ms) of all UTC hours that share a millisecond with `[fromMs, toMs)`, in order. */
export function utcHours(fromMs: number, toMs: number): number[] {
  const hours: number[] = [];
  if (toMs <= fromMs) return hours;
  for (let hour = Math.floor(fromMs / HOUR) * HOUR; hour < toMs; hour += HOUR) hours.push(hour);
  return hours;
}

/** The date `count` days later (or earlier, if negative) in the calendar, whatever any zone's clock does. */
export function addDays(day: string, count: number): string {
  return isoDate(Date.parse(`${day}T00:00:00Z`) + count * DAY);
}

/** The date that the zone's calendar shows at an instant. */
export function dateAt(zone: string, ms: number): string {
  return isoDate(ms + DateTime.fromMillis(ms, { zone }).offset * 60_000);
}

/** The business day that an instant lies in: its calendar date, but where midnight repeats, the day that has begun already. */
export function dayAt(zone: string, ms: number): string {
  const date = dateAt(zone, ms);
  const isWithin = (day: string) => {
    const { startMs, endMs } = dayWindow(zone, day);
    return startMs <= ms && ms < endMs;
  };
  return [date, addDays(date, 1), addDays(date, -1)].find(isWithin)!;
}

function isoDate(utcMs: number): string {
  return new Date(utcMs).toISOString().slice(0, 10);
}

/**
 * The dates of a request, in order. `--last N` are the last N dates that are over by the zone's calendar, yesterday being the
 * last: what a nightly job wants, since today has hardly begun. (Whether yesterday can be built yet is for its run to say:
 * it needs the lookahead, too.)
 */
export function resolveDays(request: DayRequest, zone: string, nowMs: number): string[] {
  const today = dateAt(zone, nowMs);
  switch (request.kind) {
    case "none":
      throw usageError("which business days? none are given", `${HOW_TO_ASK}, with --from and --to or with --last 7`);
    case "date":
      return [dateOf(request.date, today)];
    case "last":
      checkCount(request.count);
      return datesFrom(addDays(today, -request.count), request.count);
    case "range": {
      const from = dateOf(request.from, today);
      const to = dateOf(request.to, today);
      const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY) + 1;
      if (count < 1) throw usageError(`--from ${from} is after --to ${to}`, "swap them: both days are included");
      checkCount(count);
      return datesFrom(from, count);
    }
  }
}

const HOW_TO_ASK = "name days with --date 2026-07-29 (or yesterday, or today)";

function checkCount(count: number): void {
  if (!Number.isSafeInteger(count) || count < 1) throw usageError(`${count} is no number of days`, "write --last 7");
  if (count > MAX_DAYS) {
    throw usageError(
      `${count} days in one run are too many (at most ${MAX_DAYS})`,
      "check the years, or run it in parts",
    );
  }
}

function datesFrom(first: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => addDays(first, i));
}

/**
 * The text of a day as it may be asked for: `today`, `yesterday` or a date of the calendar, YYYY-MM-DD, from 2000 to 2099.
 * Events of other years are invalid (R4), so no such day could have a result. Anything else is a usage error.
 */
export function checkDay(text: string): string {
  if (text === "today" || text === "yesterday") return text;
  const wrong = (why: string) => usageError(`${JSON.stringify(text)} ${why}`, "write 2026-07-29, yesterday or today");
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) throw wrong("is not a day written YYYY-MM-DD");
  const ms = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(ms) || isoDate(ms) !== text) throw wrong("is not a date of the calendar");
  if (text < "2000-01-01" || text > "2099-12-31") throw wrong("is not a day from 2000 to 2099");
  return text;
}

function dateOf(text: string, today: string): string {
  const day = checkDay(text);
  if (day === "today") return today;
  return day === "yesterday" ? addDays(today, -1) : day;
}

/** The version of the IANA time zone data that day windows follow (`2025c`), where the runtime tells. */
export function timeZoneDataVersion(): string | null {
  return process.versions.tz ?? null;
}

/** The contract's daily_summary and minute_online. */
import type { DayWindow } from "../../src/plan/day-window.ts";
import { covers, type Interval, totalLength } from "./intervals.ts";
import { deviceKey } from "./online.ts";
import { groupBy, sortBy } from "./order.ts";
import { type DaySession, sessionMs, unionOf, userOf } from "./tables.ts";
import type { DailySummaryRow, MinuteOnlineRow, Text } from "./types.ts";

const MINUTE = 60_000;
const HOUR = 3_600_000;

const hourOf = (instant: number): number => Math.floor(instant / HOUR) * HOUR;

/** Whether every UTC hour that the day touches has a partition. */
export function isComplete(window: DayWindow, hoursWithData: ReadonlySet<number>): boolean {
  for (let hour = hourOf(window.startMs); hour < window.endMs; hour += HOUR) {
    if (!hoursWithData.has(hour)) return false;
  }
  return true;
}

/** Nearest rank: the smallest value that at least p percent of the values do not exceed. */
function nearestRank(values: readonly number[], percent: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0 ? null : sorted[Math.ceil((percent * sorted.length) / 100) - 1]!;
}

const onlineAt = (users: readonly (readonly Interval[])[], instant: number): number =>
  users.filter((online) => covers(online, instant)).length;

/** The most users at once within `[start, end)`, and the first instant at which they are. */
function peakOf(users: readonly (readonly Interval[])[], start: number, end: number) {
  // The number of users only rises where an interval starts.
  const rises = users.flatMap((online) => online.map((interval) => interval.start));
  const candidates = [start, ...rises.filter((instant) => instant > start && instant < end).sort((a, b) => a - b)];
  let peak = 0;
  let at: number | null = null;
  for (const instant of candidates) {
    const online = onlineAt(users, instant);
    if (online > peak) [peak, at] = [online, instant];
  }
  return { peak, at };
}

const onlineOfUsers = (sessions: readonly DaySession[]): Interval[][] =>
  groupBy(sessions, (session) => [userOf(session)]).map(unionOf);

function summaryRow(
  dimension: string,
  value: Text,
  sessions: readonly DaySession[],
  window: DayWindow,
  complete: boolean,
): DailySummaryRow {
  const users = onlineOfUsers(sessions);
  const lengths = users.map(totalLength);
  const peak = peakOf(users, window.startMs, window.endMs);
  return {
    dimension,
    value,
    users: users.length,
    sessions: sessions.length,
    // Distinct devices: a device that two users share is one.
    devices: new Set(sessions.map(({ counted }) => deviceKey(counted))).size,
    online_ms: lengths.reduce((sum, length) => sum + length, 0),
    session_ms: sessionMs(sessions),
    p50_ms: nearestRank(lengths, 50),
    p90_ms: nearestRank(lengths, 90),
    p99_ms: nearestRank(lengths, 99),
    peak_users: peak.peak,
    peak_at: peak.at,
    complete,
  };
}

/** One row for `total`, always; for the other dimensions one for each value that has a user online. */
export function dailySummary(
  sessions: readonly DaySession[],
  window: DayWindow,
  hoursWithData: ReadonlySet<number>,
): DailySummaryRow[] {
  if (window.endMs <= window.startMs) return []; // R22: a skipped date has no rows
  const complete = isComplete(window, hoursWithData);
  const rows = [summaryRow("total", null, sessions, window, complete)];
  const dimensions: [string, (session: DaySession) => Text][] = [
    ["client_type", ({ counted }) => counted.clientType],
    ["channel", ({ counted }) => counted.channel],
    ["app_version", ({ counted }) => counted.appVersion],
    ["region", ({ counted }) => counted.region],
  ];
  for (const [dimension, read] of dimensions) {
    for (const group of groupBy(sessions, (session) => [read(session)])) {
      rows.push(summaryRow(dimension, read(group[0]!), group, window, complete));
    }
  }
  return sortBy(rows, (row) => [row.dimension, row.value]);
}

/** A row for every minute, counted from the day's start. Unknown is not offline: null in an hour without a partition. */
export function minuteOnline(
  sessions: readonly DaySession[],
  window: DayWindow,
  hoursWithData: ReadonlySet<number>,
): MinuteOnlineRow[] {
  const users = onlineOfUsers(sessions);
  const complete = isComplete(window, hoursWithData);
  const rows: MinuteOnlineRow[] = [];
  for (let minute = window.startMs; minute < window.endMs; minute += MINUTE) {
    const known = hoursWithData.has(hourOf(minute));
    rows.push({
      minute_start: minute,
      online_users: known ? onlineAt(users, minute) : null,
      peak_users: known ? peakOf(users, minute, Math.min(minute + MINUTE, window.endMs)).peak : null,
      complete,
    });
  }
  return rows;
}

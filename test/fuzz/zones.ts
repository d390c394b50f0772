/** Days of the world with their first instants, written down by hand so that no date library is trusted. */
import type { DayWindow } from "../../src/plan/day-window.ts";

interface ZoneDay {
  readonly zone: string;
  readonly day: string;
  /** Starts of the day and of the next, UTC. */
  readonly start: string;
  readonly end: string;
}

const day = (zone: string, date: string, start: string, end: string): ZoneDay => ({ zone, day: date, start, end });

export const ZONE_DAYS: readonly ZoneDay[] = [
  day("UTC", "2024-01-15", "2024-01-15T00:00", "2024-01-16T00:00"),
  day("UTC", "2000-01-01", "2000-01-01T00:00", "2000-01-02T00:00"),
  day("UTC", "2099-12-31", "2099-12-31T00:00", "2100-01-01T00:00"),
  day("UTC", "2024-02-29", "2024-02-29T00:00", "2024-03-01T00:00"),
  day("Asia/Shanghai", "2026-07-30", "2026-07-29T16:00", "2026-07-30T16:00"),
  day("Asia/Kathmandu", "2023-12-31", "2023-12-30T18:15", "2023-12-31T18:15"),
  day("Europe/Prague", "2021-10-30", "2021-10-29T22:00", "2021-10-30T22:00"),
  day("Europe/Prague", "2021-10-31", "2021-10-30T22:00", "2021-10-31T23:00"),
  day("America/New_York", "2024-03-10", "2024-03-10T05:00", "2024-03-11T04:00"),
  day("America/New_York", "2024-03-11", "2024-03-11T04:00", "2024-03-12T04:00"),
  day("Australia/Lord_Howe", "2024-10-06", "2024-10-05T13:30", "2024-10-06T13:00"),
  day("America/Santiago", "2024-09-07", "2024-09-07T04:00", "2024-09-08T04:00"),
  day("America/Santiago", "2024-09-08", "2024-09-08T04:00", "2024-09-09T03:00"),
  day("Asia/Damascus", "2020-03-27", "2020-03-26T22:00", "2020-03-27T21:00"),
  day("America/Havana", "2023-11-05", "2023-11-05T04:00", "2023-11-06T05:00"),
  day("Pacific/Apia", "2011-12-29", "2011-12-29T10:00", "2011-12-30T10:00"),
  day("Pacific/Apia", "2011-12-30", "2011-12-30T10:00", "2011-12-30T10:00"),
  day("Pacific/Apia", "2011-12-31", "2011-12-30T10:00", "2011-12-31T10:00"),
];

export function windowOf(zone: string, date: string): DayWindow {
  const found = ZONE_DAYS.find((candidate) => candidate.zone === zone && candidate.day === date);
  if (!found) throw new Error(`no window is written down for ${date} in ${zone}`);
  return { zone, day: date, startMs: Date.parse(`${found.start}Z`), endMs: Date.parse(`${found.end}Z`) };
}

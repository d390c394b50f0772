import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Settings } from "luxon";
import { Temporal } from "temporal-polyfill";
import { afterEach, describe, expect, test } from "vitest";
import {
  addDays,
  checkDay,
  dateAt,
  dayWindow,
  readWindow,
  resolveDays,
  timeZoneDataVersion,
  utcHours,
} from "../../../src/plan/days.ts";
import { DEFAULT_SETTINGS } from "../../../src/plan/settings.ts";
import { usageFault } from "./faults.ts";

const SECONDS = 1_000;
const iso = (ms: number) => new Date(ms).toISOString().replace(".000Z", "Z");

afterEach(() => {
  Settings.now = () => Date.now();
});

/** Days whose length or start is unusual: zone, day, start, length in seconds. */
const STRANGE_DAYS: [string, string, string, number][] = [
  ["Asia/Shanghai", "2024-01-15", "2024-01-14T16:00:00Z", 86_400],
  ["Europe/Prague", "2021-10-31", "2021-10-30T22:00:00Z", 90_000],
  ["America/New_York", "2024-03-10", "2024-03-10T05:00:00Z", 82_800],
  ["Australia/Lord_Howe", "2024-10-06", "2024-10-05T13:30:00Z", 84_600],
  ["America/Santiago", "2024-09-08", "2024-09-08T04:00:00Z", 82_800],
  ["Asia/Damascus", "2020-03-27", "2020-03-26T22:00:00Z", 82_800],
  ["America/Havana", "2023-11-05", "2023-11-05T04:00:00Z", 90_000],
  ["Atlantic/Azores", "2024-10-27", "2024-10-27T00:00:00Z", 90_000],
  ["Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00Z", 86_400],
  ["Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z", 0],
  ["Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z", 86_400],
];

describe("the window of a business day", () => {
  test.each(STRANGE_DAYS)("%s %s begins %s and has %i s", (zone, day, start, seconds) => {
    for (const month of [0, 3, 6, 10]) {
      Settings.now = () => Date.UTC(2024, month, 15);
      const { startMs, endMs } = dayWindow(zone, day);
      expect([iso(startMs), endMs - startMs]).toEqual([start, seconds * SECONDS]);
    }
  });

  test("is the same whatever the machine's zone", () => {
    const days = fileURLToPath(new URL("../../../src/plan/days.ts", import.meta.url));
    const script = `import(${JSON.stringify(days)}).then(({ dayWindow, resolveDays }) => {
      const days = ${JSON.stringify(STRANGE_DAYS)}.map(([zone, day]) => dayWindow(zone, day));
      const last = resolveDays({ kind: "last", count: 2 }, "Asia/Shanghai", Date.UTC(2026, 6, 29, 16));
      console.log(JSON.stringify([days, last]));
    })`;
    const { TZ: _, ...env } = process.env;
    const outputs = ["Pacific/Auckland", "America/Havana", "UTC", undefined].map((zone) =>
      execFileSync(process.execPath, ["--import", "tsx", "-e", script], {
        env: zone === undefined ? env : { ...env, TZ: zone },
        cwd: fileURLToPath(new URL("../../../", import.meta.url)),
        encoding: "utf8",
      }),
    );
    const expected = STRANGE_DAYS.map(([zone, day]) => dayWindow(zone, day));
    expect(new Set(outputs).size).toBe(1);
    expect(JSON.parse(outputs[0]!)).toEqual([expected, ["2026-07-28", "2026-07-29"]]);
  });

  test("agrees with Temporal in every zone, and around every clock change of the strange ones", () => {
    const tried = [...sampledDays(), ...changes()];
    expect(tried.length).toBeGreaterThan(3_500);
    for (const [zone, day] of tried) {
      const date = Temporal.PlainDate.from(day);
      const { startMs, endMs } = dayWindow(zone, day);
      const wanted = [date, date.add({ days: 1 })].map((d) => d.toZonedDateTime(zone).startOfDay().epochMilliseconds);
      expect([zone, day, startMs, endMs]).toEqual([zone, day, ...wanted]);
    }
  });
});

/** Five days of every zone, others for each zone, so that the sample covers the years. */
function sampledDays(): [string, string][] {
  return Intl.supportedValuesOf("timeZone").flatMap((zone, i) =>
    Array.from({ length: 5 }, (_, k): [string, string] => [
      zone,
      addDays("2000-01-01", (i * 7919 + k * 5003) % 14_000),
    ]),
  );
}

function changes(): [string, string][] {
  const zones = [
    "Africa/Cairo",
    "Africa/Casablanca",
    "America/Asuncion",
    "America/Havana",
    "America/Santiago",
    "America/Sao_Paulo",
    "America/Scoresbysund",
    "Antarctica/Troll",
    "Asia/Amman",
    "Asia/Beirut",
    "Asia/Gaza",
    "Asia/Pyongyang",
    "Asia/Tehran",
    "Atlantic/Azores",
    "Australia/Lord_Howe",
    "Europe/Dublin",
    "Pacific/Apia",
    "Pacific/Fakaofo",
  ];
  return zones.flatMap((zone) => {
    const found: [string, string][] = [];
    let at = Temporal.ZonedDateTime.from(`2000-01-01T12:00[${zone}]`).getTimeZoneTransition("next");
    for (; at && at.year < 2030; at = at.getTimeZoneTransition("next")) {
      for (const days of [-1, 0]) found.push([zone, at.toPlainDate().add({ days }).toString()]);
    }
    return found;
  });
}

describe("the days of a request", () => {
  // 2026-07-29 23:30 in UTC is the 30th in Shanghai and still the 29th in New York.
  const now = Date.UTC(2026, 6, 29, 23, 30);
  const days = (request: Parameters<typeof resolveDays>[0], zone = "Asia/Shanghai") => resolveDays(request, zone, now);

  test("today and yesterday are the zone's", () => {
    expect(dateAt("America/New_York", now)).toBe("2026-07-29");
    expect(days({ kind: "date", date: "today" })).toEqual(["2026-07-30"]);
    expect(days({ kind: "date", date: "yesterday" }, "America/New_York")).toEqual(["2026-07-28"]);
  });

  test("from and to are both included", () => {
    expect(days({ kind: "range", from: "2024-02-28", to: "2024-03-01" })).toEqual([
      "2024-02-28",
      "2024-02-29",
      "2024-03-01",
    ]);
    expect(days({ kind: "range", from: "yesterday", to: "today" })).toEqual(["2026-07-29", "2026-07-30"]);
  });

  test("the last N days end with yesterday", () => {
    expect(days({ kind: "last", count: 3 })).toEqual(["2026-07-27", "2026-07-28", "2026-07-29"]);
  });

  test.each([
    [{ kind: "none" }, "which business days?"],
    [{ kind: "range", from: "2024-01-02", to: "2024-01-01" }, "--from 2024-01-02 is after --to 2024-01-01"],
    [{ kind: "range", from: "2001-01-01", to: "2026-01-01" }, "too many"],
    [{ kind: "last", count: 3_701 }, "too many"],
    [{ kind: "last", count: 0 }, "no number of days"],
    [{ kind: "date", date: "2023-02-29" }, "is not a date of the calendar"],
  ] as const)("%j is refused", (request, why) => expect(usageFault(() => days(request)).text).toContain(why));

  test.each([
    ["2026-7-29", "YYYY-MM-DD"],
    ["29.07.2026", "YYYY-MM-DD"],
    ["2026-07-29T00:00", "YYYY-MM-DD"],
    ["Yesterday", "yesterday or today"],
    ["2026-13-01", "not a date of the calendar"],
    ["2024-02-30", "not a date of the calendar"],
    ["1999-12-31", "from 2000 to 2099"],
    ["2100-01-01", "from 2000 to 2099"],
  ])("%s is refused", (text, why) => expect(usageFault(() => checkDay(text)).text).toContain(why));
});

test("a Shanghai day reads the UTC hours from 16 to 15 and the margins", () => {
  const window = dayWindow("Asia/Shanghai", "2024-01-15");
  const own = utcHours(window.startMs, window.endMs).map(iso);
  expect([own.length, own[0], own.at(-1)]).toEqual([24, "2024-01-14T16:00:00Z", "2024-01-15T15:00:00Z"]);
  const read = readWindow(window, DEFAULT_SETTINGS);
  expect([iso(read.startMs), iso(read.endMs)]).toEqual(["2024-01-13T16:00:00Z", "2024-01-15T17:00:00Z"]);
});

test("hours are counted by overlap", () => {
  const day = dayWindow("Asia/Kolkata", "2024-01-15");
  expect(utcHours(day.startMs, day.endMs)).toHaveLength(25);
  expect(utcHours(0, 3_600_000)).toEqual([0]);
  expect(utcHours(0, 3_600_001)).toEqual([0, 3_600_000]);
  expect(utcHours(-1, 1)).toEqual([-3_600_000, 0]);
  expect(utcHours(5, 5)).toEqual([]);
});

test("the time zone data has a version", () => expect(timeZoneDataVersion()).toMatch(/^20\d\d[a-z]$/));

import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";
import { addDays } from "../../src/plan/days.ts";
import { monthOf, namedPeriod, resolvePeriod, weekOf } from "../../src/plan/periods.ts";

test("weeks and months are the calendar's, for every date from 2000 to 2099", () => {
  for (let day = "2000-01-08"; day < "2099-12-20"; day = addDays(day, 5)) {
    const date = Temporal.PlainDate.from(day);
    const week = weekOf(day);
    expect(week).toBe(`${date.yearOfWeek}-W${String(date.weekOfYear).padStart(2, "0")}`);
    const { days } = namedPeriod(week);
    expect(days).toHaveLength(7);
    expect(days[date.dayOfWeek - 1]).toBe(day);
    const month = namedPeriod(monthOf(day));
    expect([month.days[0], month.days.length]).toEqual([`${day.slice(0, 7)}-01`, date.daysInMonth]);
  }
});

test("`last` follows the zone's calendar", () => {
  // In Shanghai it is Monday, 2026-06-01, already.
  const now = Date.parse("2026-05-31T16:30:00Z");
  const last = (kind: "week" | "month", zone: string) =>
    resolvePeriod(kind === "week" ? { kind, week: "last" } : { kind, month: "last" }, zone, now).name;
  expect([last("week", "Asia/Shanghai"), last("month", "Asia/Shanghai")]).toEqual(["2026-W22", "2026-05"]);
  expect([last("week", "UTC"), last("month", "UTC")]).toEqual(["2026-W21", "2026-04"]);
});

test.each([
  "2026-W00",
  "2025-W53",
  "2026-13",
  "2026-00",
  "1999-12",
  "2100-01",
  "2026",
  "2026-W1",
  "last",
  "2026-07-29",
])("%s is no week or month", (name) => {
  expect(() => namedPeriod(name)).toThrow(/is no week or month/);
});

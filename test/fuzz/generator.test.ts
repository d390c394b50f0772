import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { expect, test } from "vitest";
import { count } from "../oracle/index.ts";
import { scenarioArbitrary, scenarioFromSeed } from "./arbitrary.ts";
import { isWithinBounds } from "./definitions.ts";
import { type Scenario, scenarioToOracleInput } from "./scenario.ts";
import { statistics } from "./statistics.ts";
import { windowOf, ZONE_DAYS } from "./zones.ts";

const scenarios = Array.from({ length: 300 }, (_, seed) => scenarioFromSeed(seed));
const counted = scenarios.map((scenario) => [scenario, count(scenarioToOracleInput(scenario))] as const);

test("the same seed gives the same scenario", () => {
  expect(scenarioFromSeed(7)).toEqual(scenarios[7]);
});

test("the zones' days are what the calendar says", () => {
  for (const { zone, day } of ZONE_DAYS) {
    const date = Temporal.PlainDate.from(day);
    const [start, end] = [date, date.add({ days: 1 })].map(
      (d) => d.toZonedDateTime({ timeZone: zone }).epochMilliseconds,
    );
    expect([zone, day, windowOf(zone, day)]).toMatchObject([zone, day, { startMs: start, endMs: end }]);
  }
});

test("a counterexample shrinks to a few rows", () => {
  const isCalm = (scenario: Scenario) => !count(scenarioToOracleInput(scenario)).counts.quarantined.DUPLICATE_SEQUENCE;
  const { counterexample } = fc.check(fc.property(scenarioArbitrary, isCalm), { seed: 1, numRuns: 50 });
  expect(counterexample![0].lake.files.flatMap((file) => file.rows).length).toBeLessThan(6);
}, 60_000);

test("definitions keep the bounds of the rules", () => {
  for (const { definitions, settings } of scenarios) {
    for (const raw of definitions) {
      expect(isWithinBounds(raw, settings.lookbackMs, settings.lookaheadMs), JSON.stringify(raw)).toBe(true);
    }
  }
});

test("300 scenarios are small, but for some crowded ones, and reach every rule", () => {
  const sizes = scenarios.map(({ lake }) => lake.files.flatMap((file) => file.rows).length);
  expect(Math.max(...sizes)).toBeLessThan(400);
  const crowded = sizes.filter((size) => size >= 100).length;
  expect(crowded).toBeGreaterThan(0);
  expect(crowded).toBeLessThan(30);
  const totals = statistics(counted);
  if (process.env.STATISTICS) console.table(Object.fromEntries(totals));
  for (const [name, times] of totals) expect(times, name).toBeGreaterThanOrEqual(6);
});

test("what is counted keeps the rules' own checks", () => {
  for (const [scenario, { counts, definitions }] of counted) {
    const { startMs, endMs } = windowOf(scenario.zone, scenario.day);
    const quarantined = Object.values(counts.quarantined).reduce((sum, n) => sum + n, 0);
    expect(counts.owned).toBe(counts.accepted + quarantined); // C1
    for (const { user_daily, user_intervals, session_daily, session_intervals } of definitions) {
      for (const { start_at, end_at } of [...user_intervals, ...session_intervals]) {
        expect(end_at > start_at && start_at >= startMs && end_at <= endMs).toBe(true); // C2
      }
      for (const row of user_daily) {
        expect(row.online_ms > 0 && row.online_ms <= Math.min(row.session_ms, endMs - startMs)).toBe(true); // C3, C4
        const own = session_daily.filter((session) => session.user_id === row.user_id);
        expect(row.online_ms).toBeGreaterThanOrEqual(Math.max(...own.map((session) => session.online_ms))); // C4
      }
      for (const [i, row] of user_intervals.entries()) {
        const next = user_intervals[i + 1];
        if (next?.user_id === row.user_id) expect(next.start_at).toBeGreaterThan(row.end_at); // C6
      }
    }
  }
});

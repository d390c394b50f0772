/** Every window of the counting has a total order, whatever the lake: checked by the database itself. */
import { expect, test } from "vitest";
import { loadSql } from "../../src/pipeline/sql-files.ts";
import { scenarioFromSeed } from "../fuzz/arbitrary.ts";
import { readable } from "../fuzz/compare.ts";
import { eventsOf, scenarioToOracleInput } from "../fuzz/scenario.ts";
import { withStages } from "../support/run-memory.ts";
import { withGuardedWindows } from "../support/window-ties.ts";

const FIRST_SEED = Math.floor(Date.now() / 86_400_000) * 1000;
const LAKES = 8;

test("the guard finds the windows, nested calls and frames included", () => {
  const found: string[] = [];
  const sql = withGuardedWindows(loadSql("70_online/activity"), (order) => found.push(order));
  expect(found).toHaveLength(2);
  expect(sql.match(/error\('equal rows in: partition by/g)).toHaveLength(2);
});

test.each(Array.from({ length: LAKES }, (_, n) => FIRST_SEED + n))(
  "no window has equal rows in lake %i",
  async (seed) => {
    const { scenario, definitions } = readable(scenarioFromSeed(seed));
    const { window, hoursWithData } = scenarioToOracleInput(scenario);
    const input = { events: eventsOf(scenario.lake), settings: scenario.settings, definitions, window, hoursWithData };
    await withStages({ ...input, rewrite: withGuardedWindows }, () => Promise.resolve());
  },
);

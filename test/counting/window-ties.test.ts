/** Every window of the counting has a total order, whatever the lake: checked by the database itself. */
import { expect, test } from "vitest";
import { loadSql } from "../../src/pipeline/sql-files.ts";
import { DEFAULT_SETTINGS } from "../../src/plan/settings.ts";
import { scenarioFromSeed } from "../fuzz/arbitrary.ts";
import { readable } from "../fuzz/compare.ts";
import { eventsOf, scenarioToOracleInput } from "../fuzz/scenario.ts";
import { BUILTIN, DAY, DAY_START, HOUR, LakeBuilder } from "../oracle/build.ts";
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

test("no window has equal rows where all events come at one instant", async () => {
  const lake = new LakeBuilder();
  for (const device_id of ["d1", "d2", null]) {
    const who = { session_id: `s-${device_id}`, device_id };
    for (const type of [
      "SESSION_START",
      "USER_ACTIVE",
      "USER_ACTIVE",
      "USER_IDLE",
      "APP_FOREGROUND",
      "USER_ACTIVE",
      "LOGOUT",
    ])
      lake.add("10:00", type, who).add("10:00", type, { ...who, session_epoch: 1 });
    lake.add("10:00", "SERVER_TIMEOUT", who).add("10:00", "SERVER_TIMEOUT", who);
  }
  const input = {
    events: lake.events,
    definitions: [...Object.values(BUILTIN), { ...BUILTIN.active, name: "moved", lateUpload: "compensate" as const }],
    window: { zone: "UTC", day: DAY, startMs: DAY_START, endMs: DAY_START + 24 * HOUR },
  };
  for (const sequence of ["column", "arrival"] as const) {
    const settings = { ...DEFAULT_SETTINGS, sequence };
    await withStages({ ...input, settings, rewrite: (select) => withGuardedWindows(select) }, () => Promise.resolve());
  }
});

test.each(Array.from({ length: LAKES }, (_, n) => FIRST_SEED + n))(
  "no window has equal rows in lake %i",
  async (seed) => {
    const { scenario, definitions } = readable(scenarioFromSeed(seed));
    const { window, hoursWithData } = scenarioToOracleInput(scenario);
    const input = { events: eventsOf(scenario.lake), settings: scenario.settings, definitions, window, hoursWithData };
    await withStages({ ...input, rewrite: (select) => withGuardedWindows(select) }, () => Promise.resolve());
  },
);

/** Many events at one instant: equal rows have no order, and nothing may depend on which of them comes first. */
import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../src/plan/settings.ts";
import { at, BUILTIN, DAY, DAY_START, HOUR, LakeBuilder } from "../oracle/build.ts";
import { count } from "../oracle/index.ts";
import { relationRows } from "../support/pipeline-rows.ts";
import { withStages } from "../support/run-memory.ts";

const SESSIONS = 40;
const TWINS = 12;
const WINDOW = { zone: "UTC", day: DAY, startMs: DAY_START, endMs: DAY_START + 24 * HOUR };

/** Active from 10:00 for five minutes; then, told many times over, from 10:20 until the USER_IDLE of 10:22. */
function lake(): LakeBuilder {
  const lake = new LakeBuilder();
  for (let n = 0; n < SESSIONS; n++) {
    const who = { user_id: `u${n}`, session_id: `s${n}`, device_id: `d${n}` };
    lake.add("10:00", "SESSION_START", who).beat("10:01", "10:19", 60_000, who);
    for (let twin = 0; twin < TWINS; twin++) lake.add("10:20", "USER_ACTIVE", who);
    lake.beat("10:21", "10:21", 60_000, who).add("10:22", "USER_IDLE", who).beat("10:23", "10:30", 60_000, who);
  }
  return lake;
}

test("interactions told of at one instant join no earlier ones (R16)", async () => {
  const { events } = lake();
  const input = { settings: DEFAULT_SETTINGS, definitions: [BUILTIN.active], window: WINDOW };
  const rows = await withStages({ events, ...input }, (session) => relationRows(session, "user_intervals", 0));
  const expected = (user: string) =>
    [
      ["10:00", "10:05"],
      ["10:20", "10:22"],
    ].map(([start, end]) => ({
      user_id: user,
      start_at: at(start!),
      end_at: at(end!),
      duration_ms: at(end!) - at(start!),
    }));
  const users = Array.from({ length: SESSIONS }, (_, n) => `u${n}`).sort();
  expect(rows).toEqual(users.flatMap(expected));
  const counted = count({ lake: { events }, ...input, hoursWithData: [] });
  expect(rows).toEqual(counted.definitions[0]!.user_intervals);
});

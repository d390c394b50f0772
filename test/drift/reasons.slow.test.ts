/** Reasons where a sample lake has too little of what they are about, and what is said where none can be told. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../cli/fakes.ts";
import { LakeBuilder } from "../oracle/build.ts";
import { type DriftPlace, driftPlace, usersOnline } from "./support.ts";

async function reasonsOf(place: DriftPlace, rows: string, ...more: string[]) {
  const file = place.write("realtime.csv", `user_id,online_ms\n${rows}\n`);
  const { reasons } = await place.json(file, "--lake", "lake", ...more);
  return reasons;
}

test("late events missing: the return to the foreground is never heard of", async () => {
  const lake = new LakeBuilder()
    .add("10:00", "SESSION_START")
    .beat("10:00:30", "10:04:30")
    .add("10:05", "APP_BACKGROUND")
    .beat("10:05:30", "10:09:30")
    // It has the lower sequence, and arrives later.
    .add("10:10:01", "APP_FOREGROUND")
    .beat("10:10", "10:20");
  const place = await driftPlace(lake, { metrics: ["foreground"] });
  const { total } = await reasonsOf(place, "u1,300000");
  expect(total.reasons[0]).toMatchObject({ reason: "late-events-missing", effectMs: -630_000, share: 1, items: 1 });
  expect(total.reasons[0].says).toBe("takes away 0:10:30: 1 event that arrived after a later one left out");
});

test("30 s per retry: README shows what is printed", async () => {
  const lake = new LakeBuilder().beat("10:00", "11:00");
  for (const retried of lake.events.slice(10, 15)) {
    lake.add(Number(retried.values.server_time) + 2_000, "HEARTBEAT", {
      event_id: retried.values.event_id,
      sequence: retried.values.sequence,
    });
  }
  const place = await driftPlace(lake);
  const figure = place.write("realtime.csv", `user_id,online_ms\nu1,${3_630_000 + 150_000}\n`);
  const { stdout } = await place.drift(figure, "--lake", "lake");
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const shown = /^```\n(left out, or done +explains[^`]+)^```$/m.exec(readme)![1]!;
  expect(stdout).toMatch(shown);
  expect(shown).toMatch("adds 0:02:30: 5 retries counted once more, 0:00:30 each\n");
});

test("where nothing known makes the difference smaller, none is told", async () => {
  const place = await driftPlace(usersOnline({ u1: 3600, u2: 3600 }));
  const { total, users } = await reasonsOf(place, "u1,9000000\nu2,3600000");
  expect(total).toMatchObject({ users: 1, differing: 1, offlineMs: 3_600_000, differenceMs: 5_400_000, reasons: [] });
  expect(users).toMatchObject([{ userId: "u1", reasons: [] }]);
  const { stdout } = await place.drift("realtime.csv", "--lake", "lake");
  expect(stdout).toMatch(/^u1 .* over +none of the known ones makes the difference smaller$/m);
});

test("users of one side only are looked into, too", async () => {
  const place = await driftPlace(usersOnline({ u1: 3600, u2: 60 }));
  const { users } = await reasonsOf(place, "u1,3600000\nnobody,5000");
  expect(users).toMatchObject([
    { userId: "u2", offlineMs: 60_000, realtimeMs: 0 },
    { userId: "nobody", offlineMs: 0, realtimeMs: 5_000, reasons: [] },
  ]);
});

test("a lake that has changed since the mart was built is told", async () => {
  const place = await driftPlace(usersOnline({ u1: 4000, u2: 4000 }));
  rmSync(join(place.folder, "lake/event_date=2024-01-15/event_hour=11"), { recursive: true });
  const { notes, users } = await reasonsOf(place, "u1,5\nu2,5");
  expect(notes).toContain(
    "the lake gives other figures than the mart for 2 of 2 users: rebuild the day (see presence-batch status)",
  );
  expect(users[0].offlineMs).toBe(3_540_000);
});

test("a lake that has no answer takes nothing from the comparison", async () => {
  const place = await driftPlace(usersOnline({ u1: 3600 }));
  const ran = await place.drift(place.write("realtime.csv", "user_id,online_ms\nu1,5\n"), "--lake", "nowhere");
  expect(ran).toMatchObject({ code: 4, stdout: /^verdict: fail$/m });
  expect(ran.stderr).toMatch(/^warning: no reasons can be told: .*nowhere/);
});

test("a day of UTC whose hours the lake has not yet is no suspicion, and that is told", async () => {
  const place = await driftPlace(usersOnline({ u1: 3600 }), { zone: "Asia/Shanghai" });
  const { notes } = await reasonsOf(place, "u1,5");
  expect(notes).toContainEqual(
    expect.stringMatching(/^whether the day is cut in UTC cannot be told: the lake lacks \d+ of its hours$/),
  );
});

test("definitions that use activity are counted again as well", async () => {
  const lake = new LakeBuilder();
  for (const [epoch, from, to] of [
    [1, "10:00", "10:20"],
    [2, "10:10", "10:12"],
  ] as const) {
    lake.beat(from, to, 30_000, { session_epoch: epoch, active: true, foreground: true });
  }
  const place = await driftPlace(lake, { metrics: ["active"] });
  const { total } = await reasonsOf(place, `u1,${20 * 60_000 + 30_000}`);
  expect(total.reasons[0]).toMatchObject({ reason: "stale-epochs-counted", share: 1, items: 21 });
});

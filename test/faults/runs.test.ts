/** Faults 26, 28, 45, 46: the process's zone, threads, neighbours in one working directory, great ids. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DAY, openDuckdb, writeEvents } from "../lake/support.ts";
import { LakeBuilder } from "../oracle/build.ts";
import { runCommand } from "../support/command.ts";
import { build, publishedBytes, tempFolder, writeRows } from "../support/lake-on-disk.ts";
import { readPublished } from "../support/read-mart.ts";

const run = await openDuckdb();

function rebuildArgs(lake: string, out: string, more: readonly string[] = []): string[] {
  return [
    "rebuild",
    "--lake",
    lake,
    "--out",
    out,
    "--tz",
    "America/New_York",
    "--missing-hours",
    "26",
    "--json",
    ...more,
  ];
}

test("fault 26: the same bytes whatever the zone of the machine", async () => {
  const folder = tempFolder();
  const rows = new LakeBuilder().beat("-1 20:00", "+1 08:00", 90_000, { client_time: Date.UTC(2024, 0, 15) });
  const lake = await writeRows(rows.add("10:00", "PING").events, join(folder, "lake"));
  const marts: Record<string, string>[] = [];
  for (const [name, env] of Object.entries({ auckland: { TZ: "Pacific/Auckland" }, utc: { TZ: "UTC" }, none: {} })) {
    const out = join(folder, name);
    const ran = await runCommand(rebuildArgs(lake, out, ["--date", "2024-01-15", "--metric", "active"]), { env });
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    marts.push(publishedBytes(out));
  }
  expect(Object.keys(marts[0]!).length).toBe(8 + 2);
  expect(marts[1]).toEqual(marts[0]);
  expect(marts[2]).toEqual(marts[0]);
}, 120_000);

test("fault 28: of two events with one id the same is kept, whatever threads and files", async () => {
  const folder = tempFolder();
  const kept: unknown[] = [];
  for (const [index, flags] of [
    [true, false],
    [false, true],
  ].entries()) {
    const rows = new LakeBuilder().add("09:59", "SESSION_START", { sequence: 0, foreground: false });
    for (const foreground of flags) rows.add("10:00", "HEARTBEAT", { event_id: "e", sequence: 1, foreground });
    const lake = await writeRows(rows.events, join(folder, `lake-${index}`), { files: 2 });
    for (const threads of [1, 2]) {
      const out = join(folder, `mart-${index}-${threads}`);
      await build(lake, out, { metrics: ["foreground"], threads });
      const events = (await readPublished(out, "quarantined_events/date=2024-01-15")) as Record<string, unknown>[];
      const users = await readPublished(out, "user_daily/metric=foreground/version=1/date=2024-01-15");
      kept.push([events.map(({ reason, foreground }) => [reason, foreground]), users]);
    }
  }
  for (const each of kept) expect(each).toEqual([[["DUPLICATE_EVENT", true]], []]);
});

test("fault 45: two runs at once in one working directory", async () => {
  const folder = tempFolder();
  const cwd = tempFolder("presence-cwd-");
  const lake = await writeRows(
    new LakeBuilder().beat("00:00", "23:59", 30_000, { foreground: true }).events,
    join(folder, "lake"),
  );
  const args = (out: string, metric: string) =>
    rebuildArgs(lake, join(folder, out), ["--date", "2024-01-15", "--metric", metric, "--memory-limit", "200MB"]);
  const ran = await Promise.all([
    runCommand(args("one", "active"), { cwd }),
    runCommand(args("two", "connected"), { cwd }),
  ]);
  for (const { code, stderr } of ran) expect(code, stderr).toBe(0);
  for (const [out, metric] of [
    ["one", "active"],
    ["two", "connected"],
  ] as const) {
    const alone = join(folder, `alone-${out}`);
    await build(lake, alone, { zone: "America/New_York", metrics: [metric] });
    expect(publishedBytes(join(folder, out))).toEqual(publishedBytes(alone));
  }
  expect(readdirSync(cwd), "nothing is left in the working directory").toEqual([]);
  expect(existsSync(".tmp"), "nor in ours").toBe(false);
}, 120_000);

test("fault 46: ids that a double cannot tell apart are two users", async () => {
  const [lake, folder] = [tempFolder(), tempFolder()];
  const path = (name: string) => `event_date=${DAY}/event_hour=10/${name}.parquet`;
  const user = (user_id: string) => ({ user_id, event_id: "i", session_id: "9007199254740993 - i" });
  await writeEvents(run, lake, path("integers"), user("9007199254740993 - i"), 2);
  await writeEvents(run, lake, path("texts"), { ...user("'9007199254740993'"), event_id: "'t'", sequence: "5" });
  const out = join(folder, "mart");
  await build(lake, out, { date: DAY });
  const users = (await readPublished(out, `user_daily/metric=connected/version=1/date=${DAY}`)) as {
    user_id: string;
  }[];
  expect(users.map(({ user_id }) => user_id)).toEqual(["9007199254740992", "9007199254740993"]);
});

/** Faults 2, 18–26, 29–31, 33, 57, 63 with lakes on disk and whole rebuilds: zones, neighbouring days, the process's TZ. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { builtinDefinitions } from "../../src/definitions/builtin.ts";
import type { RebuildOptions } from "../../src/plan/rebuild-options.ts";
import { planRebuild } from "../../src/usecases/rebuild.ts";
import { at, DAY_START, HOUR, LakeBuilder } from "../oracle/build.ts";
import { build, publishedBytes, type RebuildChanges, tempFolder, writeRows } from "../support/lake-on-disk.ts";
import { readPublished } from "../support/read-mart.ts";
import { fixedEffects, optionsOf } from "../support/rebuild-options.ts";

const DAY = 24 * HOUR;
const ALL = builtinDefinitions().map(({ name, version }) => `${name}@${version}`);
const dateOf = (n: number) => new Date(DAY_START + n * DAY).toISOString().slice(0, 10);
const range = (from: number, to: number): Pick<RebuildOptions, "days"> => ({
  days: { kind: "range", from: dateOf(from), to: dateOf(to) },
});

/** Online time of u1 on each of the mart's days, in seconds; null where it has no row. */
async function secondsOf(out: string, days: readonly string[], metric = "connected"): Promise<(number | null)[]> {
  const rows = days.map((day) => readPublished(out, `user_daily/metric=${metric}/version=1/date=${day}`));
  return (await Promise.all(rows)).map((found) => {
    const own = (found as { user_id: string; online_ms: number }[]).find(({ user_id }) => user_id === "u1");
    return own ? own.online_ms / 1000 : null;
  });
}

async function rebuilt(rows: LakeBuilder, changes: RebuildChanges): Promise<string> {
  const folder = tempFolder();
  await build(await writeRows(rows.events, join(folder, "lake")), join(folder, "mart"), changes);
  return join(folder, "mart");
}

describe("several days", () => {
  test("fault 2: a day is the same, byte for byte, alone and among its neighbours", async () => {
    const folder = tempFolder();
    const rows = new LakeBuilder().beat("-1 20:00", "+1 06:00", 90_000, { foreground: true });
    rows.add("-1 23:59:50", "SESSION_START", { session_id: "s2", user_id: "u2", sequence: 1 });
    rows.add("00:00:20", "LOGOUT", { session_id: "s2", user_id: "u2", sequence: 2 });
    rows
      .add("23:59:59", "SESSION_START", { session_id: "s3", sequence: 1 })
      .add("+1 00:10", "USER_IDLE", { session_id: "s3" });
    rows.add("12:00", "PING").add("+1 00:00", "PING").add("-1 23:59:59.999", "PING");
    const lake = await writeRows(rows.events, join(folder, "lake"));
    const metrics = ["active,last-seen-60s"];
    await build(lake, join(folder, "alone"), { metrics });
    await build(lake, join(folder, "among"), { metrics, ...range(-2, 3) });
    const alone = publishedBytes(join(folder, "alone"));
    expect(publishedBytes(join(folder, "among"), /date=2024-01-15\//)).toEqual(alone);
    expect(Object.keys(alone).length).toBe(8 * 2 + 2);
  });

  test("faults 18, 20: always on from one morning to the next but one", async () => {
    const rows = new LakeBuilder().beat("10:00", "+2 08:59:00", 60_000).add("+2 09:00", "SESSION_CLOSE");
    const days = [0, 1, 2, 3].map(dateOf);
    expect(await secondsOf(await rebuilt(rows, range(0, 3)), days)).toEqual([50_400, 86_400, 32_400, null]);
    expect(await secondsOf(await rebuilt(rows, { date: dateOf(1) }), [dateOf(1)])).toEqual([86_400]);
  });

  test("fault 19: a night in Europe/Berlin", async () => {
    const rows = new LakeBuilder().beat("-1 21:00", "04:59:30").add("05:00", "SESSION_CLOSE");
    const out = await rebuilt(rows, { zone: "Europe/Berlin", ...range(-1, 0) });
    expect(await secondsOf(out, [dateOf(-1), dateOf(0)])).toEqual([7_200, 21_600]);
  });

  test("fault 29: one event in the partitions of both days is counted once, and never on the second", async () => {
    const same = { event_id: "e", sequence: 1 };
    const rows = new LakeBuilder()
      .add("23:59:40", "HEARTBEAT", same)
      .add("23:59:40", "HEARTBEAT", same, DAY_START + DAY);
    const out = await rebuilt(rows, range(0, 1));
    expect(await secondsOf(out, [dateOf(0), dateOf(1)])).toEqual([20, 10]);
    expect(await readPublished(out, `quarantined_events/date=${dateOf(0)}`)).toMatchObject([
      { reason: "DUPLICATE_EVENT" },
    ]);
    const second = await rebuilt(rows, { date: dateOf(1) });
    expect(await secondsOf(second, [dateOf(1)])).toEqual([10]);
    expect(await readPublished(second, `quarantined_events/date=${dateOf(1)}`)).toEqual([]);
  });

  test("fault 30: one session id in two epochs, days apart", async () => {
    const rows = new LakeBuilder();
    for (const [session_epoch, day] of [
      [1, "+0"],
      [2, "+3"],
    ] as const) {
      rows.beat(`${day} 10:00`, `${day} 10:04:30`, 30_000, { session_epoch });
      rows.add(`${day} 10:05`, "SESSION_CLOSE", { session_epoch });
    }
    expect(await secondsOf(await rebuilt(rows, range(0, 3)), [0, 1, 2, 3].map(dateOf))).toEqual([300, null, null, 300]);
  });

  test("fault 31: timeouts that are written days later add nothing", async () => {
    const rows = new LakeBuilder();
    for (const [session_id, from, to] of [
      ["a", "10:00", "10:05"],
      ["b", "10:07", "10:12"],
      ["c", "10:15", "10:20"],
    ] as const) {
      rows.beat(from, to, 30_000, { session_id }).add("+4 03:00", "SERVER_TIMEOUT", { session_id });
    }
    const out = await rebuilt(rows, range(0, 4));
    expect(await secondsOf(out, [0, 1, 2, 3, 4].map(dateOf))).toEqual([990, null, null, null, null]);
  });

  test("fault 33: a far-future event makes no partition of its year", async () => {
    const rows = new LakeBuilder().add("10:00", "SESSION_START").add("10:01", "SESSION_CLOSE");
    rows.add(Date.UTC(2030, 0, 1), "HEARTBEAT", {}, at("10:00"));
    const out = await rebuilt(rows, { date: dateOf(0) });
    expect(await secondsOf(out, [dateOf(0)])).toEqual([60]);
    expect(await readPublished(out, `quarantined_events/date=${dateOf(0)}`)).toMatchObject([
      { reason: "PARTITION_MISMATCH" },
    ]);
    expect(readdirSync(out, { recursive: true }).filter((path) => String(path).includes("2030"))).toEqual([]);
  });

  test("fault 57: always on for a week", async () => {
    const rows = new LakeBuilder().beat("-1 22:00", "+7 02:00", 90_000);
    const days = [0, 1, 2, 3, 4, 5, 6].map(dateOf);
    expect(await secondsOf(await rebuilt(rows, range(0, 6)), days)).toEqual(days.map(() => 86_400));
  });

  test("fault 63: over two days the parts of a session add up to its whole, under every built-in definition", async () => {
    const rows = new LakeBuilder()
      .add("20:00", "SESSION_START")
      .beat("20:00:30", "20:30")
      .add("20:30:20", "LIVE_ENTER");
    rows.beat("23:00", "23:58:30").add("23:59:10", "USER_ACTIVE").add("+1 00:00:20", "HEARTBEAT");
    rows.beat("+1 03:00", "+1 03:20").add("+1 03:20:10", "SESSION_CLOSE");
    // The same session twenty hours earlier lies on one day: that is its whole.
    const sooner = { events: rows.events.map((event) => moved(event, -20 * HOUR)) } as LakeBuilder;
    const parts = await rebuilt(rows, { metrics: ALL, ...range(0, 1) });
    const whole = await rebuilt(sooner, { metrics: ALL, date: dateOf(0) });
    for (const { name } of builtinDefinitions()) {
      const [first, second] = await secondsOf(parts, [dateOf(0), dateOf(1)], name);
      const [all] = await secondsOf(whole, [dateOf(0)], name);
      expect((first ?? 0) + (second ?? 0), name).toBe(all);
    }
  });
});

function moved(event: LakeBuilder["events"][number], ms: number): LakeBuilder["events"][number] {
  const values = { ...event.values, server_time: Number(event.values.server_time) + ms };
  return { ...event, hourMs: event.hourMs + ms, values };
}

describe("clocks of the world", () => {
  afterEach(() => void vi.useRealTimers());

  test("fault 22: a day of Asia/Shanghai reads UTC hours 16 to 15, and the margins", async () => {
    const lake = await writeRows(new LakeBuilder().add("10:00", "HEARTBEAT").events, join(tempFolder(), "lake"));
    const out = join(tempFolder(), "mart");
    const options = optionsOf({ date: "2024-01-15", zone: "Asia/Shanghai", missingHours: 23, lake, out });
    const [day] = (await planRebuild(options, fixedEffects())).days;
    expect(day).toMatchObject({ start: "2024-01-14T16:00:00.000Z", end: "2024-01-15T16:00:00.000Z", files: 1 });
    expect(day).toMatchObject({ readFrom: "2024-01-13T16:00:00.000Z", readTo: "2024-01-15T17:00:00.000Z" });
    expect([day!.missingHours[0], day!.missingHours.at(-1), day!.missingHours.length]).toEqual([
      "2024-01-14T16",
      "2024-01-15T15",
      23,
    ]);
    expect([day!.missingMarginHours[0], day!.missingMarginHours.at(-1)]).toEqual(["2024-01-13T16", "2024-01-15T16"]);
  });

  test.each([
    ["fault 23", "Europe/Prague", "2021-10-31", "2021-10-30T22:00", 90_000],
    ["fault 23", "America/New_York", "2024-03-10", "2024-03-10T05:00", 82_800],
    ["fault 23", "Australia/Lord_Howe", "2024-10-06", "2024-10-05T13:30", 84_600],
    ["fault 23", "America/Santiago", "2024-09-08", "2024-09-08T04:00", 82_800],
    ["fault 23", "Asia/Damascus", "2020-03-27", "2020-03-26T22:00", 82_800],
    ["fault 24", "America/Havana", "2023-11-05", "2023-11-05T04:00", 90_000],
    ["fault 25", "Pacific/Apia", "2011-12-29", "2011-12-29T10:00", 86_400],
    ["fault 25", "Pacific/Apia", "2011-12-31", "2011-12-30T10:00", 86_400],
  ])("%s: %s %s", async (_fault, zone, date, start, seconds) => {
    const startMs = Date.parse(`${start}Z`);
    const rows = new LakeBuilder().beat(startMs - HOUR, startMs + seconds * 1000 + HOUR, 60_000);
    const folder = tempFolder();
    const lake = await writeRows(rows.events, join(folder, "lake"));
    await build(lake, join(folder, "mart"), { zone, date });
    const intervals = await readPublished(
      join(folder, "mart"),
      `user_intervals/metric=connected/version=1/date=${date}`,
    );
    expect(intervals).toMatchObject([{ user_id: "u1", start_at: startMs, end_at: startMs + seconds * 1000 }]);
  });

  test("fault 24: a repeated midnight is the same in whatever month the program runs", async () => {
    const startMs = Date.parse("2023-11-05T04:00Z");
    const rows = new LakeBuilder().beat(startMs - HOUR, startMs + 26 * HOUR, 60_000);
    for (const month of [0, 3, 6, 10]) {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, month, 10) });
      const out = await rebuilt(rows, { zone: "America/Havana", date: "2023-11-05" });
      expect(await secondsOf(out, ["2023-11-05"])).toEqual([90_000]);
    }
  });

  test("fault 25: the date that Pacific/Apia skipped has no rows", async () => {
    const startMs = Date.parse("2011-12-30T10:00Z");
    const rows = new LakeBuilder().beat(startMs - HOUR, startMs + HOUR, 60_000);
    const out = await rebuilt(rows, { zone: "Pacific/Apia", date: "2011-12-30" });
    const files = Object.keys(publishedBytes(out));
    expect(files.length).toBe(10);
    for (const file of files) expect(await readPublished(out, file.slice(0, file.lastIndexOf("/")))).toEqual([]);
  });
});

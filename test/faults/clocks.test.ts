/** Faults 22–33: time zones, duplicates, identities, epochs, timeouts. */
import { describe, expect, test } from "vitest";
import { at, DAY_START, HOUR, LakeBuilder } from "../oracle/build.ts";
import { COUNTERS } from "./counters.ts";

const lake = () => new LakeBuilder();
const DAY = 24 * HOUR;
const D = DAY_START;
const utc = (iso: string) => Date.parse(`${iso}Z`);

describe.each(COUNTERS)("clocks of the world: $name", ({ countDay }) => {
  test("fault 22: the day of Asia/Shanghai owns the UTC hours 16 to 15", async () => {
    const rows = lake()
      .add("-1 15:59:59.999", "HEARTBEAT")
      .add("-1 16:00", "HEARTBEAT")
      .add("15:59:59.999", "HEARTBEAT");
    expect((await countDay(rows.add("16:00", "HEARTBEAT"), { startMs: D - 8 * HOUR })).counts.owned).toBe(2);
  });

  test.each([
    ["fault 23: Europe/Prague 2021-10-31", "2021-10-30T22:00", 90_000],
    ["fault 23: America/New_York 2024-03-10", "2024-03-10T05:00", 82_800],
    ["fault 23: Australia/Lord_Howe 2024-10-06", "2024-10-05T13:30", 84_600],
    ["fault 23: America/Santiago 2024-09-08", "2024-09-08T04:00", 82_800],
    ["fault 23: Asia/Damascus 2020-03-27", "2020-03-26T22:00", 82_800],
    ["fault 24: America/Havana 2023-11-05", "2023-11-05T04:00", 90_000],
    ["fault 25: Pacific/Apia 2011-12-29", "2011-12-29T10:00", 86_400],
    ["fault 25: Pacific/Apia 2011-12-31", "2011-12-30T10:00", 86_400],
  ])("%s", async (_name, start, seconds) => {
    const startMs = utc(start);
    const endMs = startMs + seconds * 1000;
    const { only } = await countDay(lake().beat(startMs, endMs, 60_000), { startMs, endMs });
    expect(only.user_daily).toMatchObject([{ online_ms: seconds * 1000, intervals: 1 }]);
    expect(only.minute_online).toHaveLength(seconds / 60);
    expect(only.minute_online.every((row) => row.online_users === 1 && row.complete)).toBe(true);
  });

  test("fault 25: Pacific/Apia 2011-12-30 has no rows", async () => {
    const startMs = utc("2011-12-30T10:00");
    const result = await countDay(lake().beat(startMs - HOUR, startMs + HOUR, 60_000), { startMs, endMs: startMs });
    expect(result.counts.owned).toBe(0);
    const tables = Object.values(result.only).filter(Array.isArray);
    expect(tables.length).toBeGreaterThan(6);
    expect(tables.every((rows) => rows.length === 0)).toBe(true);
  });
});

describe.each(COUNTERS)("duplicates, identities, epochs, timeouts: $name", ({ countDay, onlineMs }) => {
  test("fault 27: two sessions at one millisecond are both kept, a duplicated CLOSE is one", async () => {
    const other = { session_id: "s2", device_id: "d2" };
    const rows = lake().add("10:00", "SESSION_START").add("10:00", "SESSION_START", other);
    expect((await countDay(rows)).only.user_daily).toMatchObject([{ sessions: 2, devices: 2 }]);
    const closed = lake().add("10:00", "SESSION_START");
    for (let i = 0; i < 2; i++) closed.add("10:00:20", "SESSION_CLOSE", { event_id: "close", sequence: 1 });
    expect((await countDay(closed)).counts.quarantined).toEqual({ DUPLICATE_EVENT: 1 });
    expect(await onlineMs(closed)).toBe(20_000);
  });

  test("fault 28: of equal events that differ in a flag the same one is kept in any order", async () => {
    for (const flags of [
      [true, false],
      [false, true],
    ]) {
      const rows = lake();
      for (const foreground of flags) rows.add("10:00", "HEARTBEAT", { event_id: "e", sequence: 1, foreground });
      const { quarantined_events } = await countDay(rows);
      expect(quarantined_events).toMatchObject([{ reason: "DUPLICATE_EVENT", foreground: true }]);
    }
  });

  test("fault 29: an event in two partitions around midnight is counted once, on its day", async () => {
    const rows = lake().add("23:59:59", "HEARTBEAT", { event_id: "e", sequence: 1 });
    rows.add("23:59:59", "HEARTBEAT", { event_id: "e", sequence: 1 }, D + DAY);
    expect((await countDay(rows)).counts).toMatchObject({ owned: 2, accepted: 1, quarantined: { DUPLICATE_EVENT: 1 } });
    expect(await onlineMs(rows)).toBe(1000);
    const next = await countDay(rows, { startMs: D + DAY });
    expect(next.counts.owned).toBe(0);
    expect(next.only.user_daily).toMatchObject([{ online_ms: 29_000 }]);
  });

  test("fault 30: one session id in two epochs, days apart", async () => {
    const rows = lake();
    for (const [epoch, day] of [
      [1, "+0"],
      [2, "+3"],
    ] as const) {
      rows.beat(`${day} 10:00`, `${day} 10:04:30`, 30_000, { session_epoch: epoch });
      rows.add(`${day} 10:05`, "SESSION_CLOSE", { session_epoch: epoch });
    }
    expect(await onlineMs(rows)).toBe(300_000);
    expect(await onlineMs(rows, { startMs: D + 3 * DAY })).toBe(300_000);
  });

  test("fault 31: a timeout that is written days later sets no end", async () => {
    const rows = lake();
    for (const [session_id, from, to] of [
      ["a", "10:00", "10:05"],
      ["b", "10:07", "10:12"],
      ["c", "10:15", "10:20"],
    ] as const) {
      rows.beat(from, to, 30_000, { session_id }).add("+4 03:00", "SERVER_TIMEOUT", { session_id });
    }
    expect((await countDay(rows)).only.session_daily.map((row) => row.online_ms)).toEqual([330_000, 330_000, 330_000]);
    for (const n of [1, 2, 3, 4]) expect(await onlineMs(rows, { startMs: D + n * DAY })).toBe(0);
  });

  test("fault 32: a session with a silence of hours", async () => {
    const rows = lake().beat("10:00", "10:05").add("12:00", "HEARTBEAT").add("12:00:30", "HEARTBEAT");
    expect(
      (await countDay(rows.add("12:01", "SESSION_CLOSE"))).only.user_intervals.map((row) => row.duration_ms),
    ).toEqual([330_000, 60_000]);
  });

  test("fault 33: a far-future event stays in the day of its partition", async () => {
    const rows = lake().add("10:00", "SESSION_START").add("10:01", "SESSION_CLOSE");
    rows.add(utc("2030-01-01T00:00"), "HEARTBEAT", {}, at("10:00"));
    expect((await countDay(rows)).counts).toMatchObject({
      owned: 3,
      accepted: 2,
      quarantined: { PARTITION_MISMATCH: 1 },
    });
    expect(await onlineMs(rows)).toBe(60_000);
    expect((await countDay(rows, { startMs: utc("2030-01-01T00:00") })).counts.owned).toBe(0);
  });
});

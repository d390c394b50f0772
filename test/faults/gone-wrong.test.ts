/** Faults 53–62: counters and clocks gone wrong. */
import { describe, expect, test } from "vitest";
import { at, BUILTIN, DAY_START, HOUR, LakeBuilder } from "../oracle/build.ts";
import { COUNTERS } from "./counters.ts";

const lake = () => new LakeBuilder();
const DAY = 24 * HOUR;
const D = DAY_START;

describe.each(COUNTERS)("counters and clocks gone wrong: $name", ({ countDay, onlineMs, onlineOf }) => {
  test("fault 53: a corrupt counter does not make the session late", async () => {
    const rows = lake().beat("10:00", "18:00").add("10:00:01", "HEARTBEAT", { sequence: 4_294_967_295 });
    expect((await countDay(rows)).counts.quarantined).toEqual({ SEQUENCE_JUMP: 1 });
    expect(await onlineMs(rows)).toBe(8 * HOUR + 30_000);
  });

  test("fault 54: a close that lost its counter erases nothing", async () => {
    const rows = lake().add("09:00", "LOGOUT", { session_id: "before" }); // so that rows count from 1
    for (const [session_id, to] of [
      ["hour", "11:00"],
      ["five", "10:05"],
    ] as const) {
      rows.add("10:00", "SESSION_START", { session_id, sequence: 1 }).beat("10:00:30", to, 30_000, { session_id });
      rows.add(at(to) + 5000, "SESSION_CLOSE", { session_id, sequence: 0 });
    }
    const { only, quarantined_events } = await countDay(rows);
    expect(only.session_daily.map((row) => row.online_ms)).toEqual([330_000, 3_630_000]);
    expect(quarantined_events.map((row) => [row.reason, row.detail])).toEqual([
      ["LATE_EVENT", "closer"],
      ["LATE_EVENT", "closer"],
    ]);
  });

  test("fault 55: activity is measured on the client's own clock", async () => {
    const session = async (clock: number) => {
      const rows = lake().add("10:00", "SESSION_START");
      for (let t = at("10:00:30"); t <= at("11:00"); t += 30_000) {
        rows.add(t, "HEARTBEAT", { client_time: t + clock, last_active_at: t + clock - 10_000 });
      }
      return await onlineMs(rows, { definition: BUILTIN.active });
    };
    expect(await session(-HOUR)).toBe(HOUR + 30_000);
    expect(await session(0)).toBe(HOUR + 30_000);
    const zero = lake().add("10:00", "HEARTBEAT", { foreground: true, active: true, last_active_at: 0 });
    expect(await onlineMs(zero, { definition: BUILTIN.active })).toBe(30_000);
    expect((await countDay(zero)).counts.unreadOptionalValues).toBe(1);
  });

  test("fault 56: USER_ACTIVE that arrives just after the USER_IDLE that it preceded", async () => {
    const rows = lake().add("10:00", "APP_FOREGROUND", { sequence: 1 }).add("10:00:30", "HEARTBEAT", { sequence: 3 });
    rows.add("10:01", "USER_IDLE", { sequence: 5 }).add("10:01:00.1", "USER_ACTIVE", { sequence: 4 });
    rows.add("10:01:30", "HEARTBEAT", { sequence: 6 });
    expect(await onlineMs(rows, { definition: BUILTIN.active })).toBe(60_000);
  });

  test("fault 57: always on for a week", async () => {
    const rows = lake().beat("00:00", "+7 00:00", 90_000);
    for (const n of [0, 3, 6]) expect(await onlineMs(rows, { startMs: D + n * DAY })).toBe(DAY);
  });

  test("fault 58: a timeout of an epoch without client events has no effect", async () => {
    const rows = lake().beat("10:00", "10:05").add("10:02:10", "SERVER_TIMEOUT", { session_epoch: 1 });
    expect(await onlineMs(rows, { settings: { timeoutCloses: true } })).toBe(330_000);
    expect((await countDay(rows)).counts.quarantined).toEqual({});
  });

  test("fault 59: a client that comes back after a timeout goes on", async () => {
    const rows = lake().beat("10:00", "10:05").add("10:07", "SERVER_TIMEOUT").beat("10:10", "10:19:30");
    rows.add("10:20", "SESSION_CLOSE");
    expect(await onlineMs(rows)).toBe(330_000 + 600_000);
    const closing = await countDay(rows, { settings: { timeoutCloses: true } });
    expect(closing.only.session_daily).toMatchObject([{ online_ms: 330_000, close_reason: "SERVER_TIMEOUT" }]);
    expect(closing.quarantined_events[0]).toMatchObject({ reason: "EVENT_AFTER_CLOSE", detail: "SERVER_TIMEOUT" });
  });

  test("fault 60: a foreign event does not take a session over", async () => {
    const rows = lake().add("10:00:01", "HEARTBEAT", { user_id: "other" }).beat("10:00", "10:10");
    expect(rows.events[0]!.values.sequence).toBe(0);
    const { counts, quarantined_events } = await countDay(rows);
    expect(counts.quarantined).toEqual({ IDENTITY_CONFLICT: 1 });
    expect(quarantined_events).toMatchObject([{ user_id: "other", detail: "user_id" }]);
    expect(await onlineOf(rows)).toEqual({ u1: 630_000 });
  });

  test("fault 61: a reconnect keeps the foreground", async () => {
    const rows = lake().add("10:00", "APP_FOREGROUND", { session_epoch: 1 });
    rows
      .beat("10:00:30", "10:01", 30_000, { session_epoch: 1 })
      .beat("10:01:10", "10:02:10", 30_000, { session_epoch: 2 });
    expect(await onlineMs(rows, { definition: BUILTIN.foreground })).toBe(160_000);
  });

  test("fault 62: with devices: latest a device that goes on sending comes back", async () => {
    const tablet = { session_id: "tablet", device_id: "tablet" };
    const rows = lake().beat("-1 23:59:30", "+1 00:00").beat("12:00", "12:05", 30_000, tablet);
    const { only } = await countDay(rows, { definition: BUILTIN.lastSeen });
    expect(only.user_daily).toMatchObject([{ online_ms: DAY, intervals: 1 }]);
    // At equal τ the greater session_id ("tablet") is the later; from the phone's next event the tablet is off again.
    expect(only.session_daily).toMatchObject([
      { session_id: "s1", intervals: 2, online_ms: DAY - 330_000 },
      { session_id: "tablet", online_ms: 330_000 },
    ]);
  });
});

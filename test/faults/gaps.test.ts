/** Faults 1–21: gaps, tails, order, foreground and activity, union and days. */
import { describe, expect, test } from "vitest";
import { at, BUILTIN, DAY_START, define, HOUR, LakeBuilder } from "../oracle/build.ts";
import { COUNTERS } from "./counters.ts";

const lake = () => new LakeBuilder();
const DAY = 24 * HOUR;
const D = DAY_START;

describe.each(COUNTERS)("gaps, tails, order: $name", ({ countDay, onlineMs }) => {
  test("fault 1: polling jitter loses nothing", async () => {
    const jitter = lake().beat("10:00:00", "10:00:00");
    jitter.add("10:00:10", "HEARTBEAT").add("10:00:21.6", "HEARTBEAT").add("10:00:31.5", "HEARTBEAT");
    expect(await onlineMs(jitter.add("10:00:43.1", "SESSION_CLOSE"))).toBe(43_100);
  });

  test("fault 2: a day follows from its own read window alone", async () => {
    const day = lake().add("10:00", "SESSION_START").add("10:00:30", "HEARTBEAT").add("10:01", "SESSION_CLOSE");
    const more = lake();
    more.events.push(...day.events);
    more.add("-1 00:00", "SESSION_START", { sequence: 0, session_id: "s0" });
    const alone = await countDay(more);
    more.add("-2 23:59:59.999", "SESSION_CLOSE", { event_id: "e0" }).add("+1 01:00", "HEARTBEAT", { sequence: 1 });
    expect(await countDay(more)).toEqual(alone);
    expect(await onlineMs(more)).toBe(60_000);
  });

  test("fault 3: a single SESSION_START earns the tail, and no row where the tail is 0", async () => {
    const single = lake().add("10:00", "SESSION_START");
    expect((await countDay(single)).only.user_daily).toMatchObject([{ online_ms: 30_000, sessions: 1 }]);
    const none = (await countDay(single, { definition: BUILTIN.capped })).only;
    expect(none.user_daily).toEqual([]);
    expect(none.session_daily).toEqual([]);
  });

  test("fault 4: a gap of gap.max is none, one of a millisecond more earns the credit", async () => {
    const close = { session_id: "s1" };
    const exact = lake().add("10:00", "SESSION_START").add("10:01:30", "SESSION_CLOSE", close);
    expect((await countDay(exact)).only.user_daily).toMatchObject([{ online_ms: 90_000, intervals: 1 }]);
    const over = lake().add("10:00", "SESSION_START").add("10:01:30.001", "HEARTBEAT").add("10:01:31", "LOGOUT");
    expect((await countDay(over)).only.user_daily).toMatchObject([{ online_ms: 30_000 + 999, intervals: 2 }]);
  });

  test("fault 5: ten sessions of 59 s are 590 000 ms", async () => {
    const ten = lake();
    for (let i = 0; i < 10; i++) {
      ten.add(at("10:00") + i * 120_000, "SESSION_START", { session_id: `s${i}` });
      ten.add(at("10:00") + i * 120_000 + 59_000, "SESSION_CLOSE", { session_id: `s${i}` });
    }
    expect(await onlineMs(ten)).toBe(590_000);
  });

  test("fault 6: the order of rows in a file does not matter", async () => {
    const rows = lake().add("10:00:10", "HEARTBEAT", { sequence: 2 }).add("10:00", "SESSION_START", { sequence: 1 });
    expect(await onlineMs(rows.add("10:00:20", "SESSION_CLOSE", { sequence: 3 }))).toBe(20_000);
  });

  test("fault 7: foreground ends at the arrival of the event that the late APP_BACKGROUND preceded", async () => {
    const late = lake().add("10:00", "APP_FOREGROUND", { sequence: 1 }).add("10:00:30", "HEARTBEAT", { sequence: 2 });
    late.add("10:01", "HEARTBEAT", { sequence: 4 }).add("10:01:30", "HEARTBEAT", { sequence: 5 });
    late.add("10:01:35", "APP_BACKGROUND", { sequence: 3 });
    expect((await countDay(late, { definition: BUILTIN.foreground })).only.user_intervals).toMatchObject([
      { start_at: at("10:00"), end_at: at("10:01") },
    ]);
    expect((await countDay(late)).counts.reordered).toBe(1);
  });

  test("fault 8: a START after a first CLOSE is EVENT_AFTER_CLOSE, other sessions are unharmed", async () => {
    const closed = lake()
      .add("10:00", "SESSION_CLOSE", { sequence: 1 })
      .add("10:00:01", "SESSION_START", { sequence: 2 });
    closed.add("10:00", "SESSION_START", { session_id: "s2" }).add("10:00:10", "SESSION_CLOSE", { session_id: "s2" });
    const { only, quarantined_events } = await countDay(closed);
    expect(quarantined_events).toMatchObject([
      { reason: "EVENT_AFTER_CLOSE", detail: "SESSION_CLOSE", event_type: "SESSION_START" },
    ]);
    expect(only.session_daily).toMatchObject([{ session_id: "s2", online_ms: 10_000 }]);
  });

  test("fault 9: closed stays closed", async () => {
    const rows = lake().beat("10:00", "10:09:30").add("10:10", "SESSION_CLOSE");
    rows.add("10:10:00.2", "HEARTBEAT").add("10:12", "HEARTBEAT");
    expect(await onlineMs(rows)).toBe(600_000);
    expect((await countDay(rows)).counts.quarantined).toEqual({ EVENT_AFTER_CLOSE: 2 });
  });

  test("fault 10: a client clock one month back changes nothing", async () => {
    const back = { client_time: at("10:00") - 30 * DAY };
    const rows = lake().add("10:00", "SESSION_START", back).add("10:00:30", "HEARTBEAT").add("10:01", "SESSION_CLOSE");
    expect(await onlineMs(rows)).toBe(60_000);
  });
});

describe.each(COUNTERS)("foreground and activity: $name", ({ onlineMs }) => {
  test("fault 11: an idle time that is detected late is not active", async () => {
    const rows = lake().add("10:00", "USER_ACTIVE", { foreground: true });
    rows.beat("10:00:30", "19:59:30", 30_000, { foreground: true });
    rows.add("20:00", "USER_IDLE", { last_active_at: at("10:00"), client_time: at("20:00"), foreground: true });
    expect(await onlineMs(rows, { definition: BUILTIN.active })).toBe(300_000);
    expect(await onlineMs(rows, { definition: BUILTIN.foreground })).toBe(10 * HOUR + 30_000);
  });

  test("fault 12: foreground in two parts", async () => {
    const rows = lake().add("10:00", "APP_FOREGROUND").add("10:00:30", "APP_BACKGROUND").add("10:01", "APP_FOREGROUND");
    rows.add("10:01:30", "APP_BACKGROUND").add("10:01:30", "SESSION_CLOSE");
    expect(await onlineMs(rows, { definition: BUILTIN.foreground })).toBe(60_000);
    expect(await onlineMs(rows)).toBe(90_000);
  });

  test("fault 13: repeated states change nothing", async () => {
    const type: Record<number, string> = { 0: "FOREGROUND", 300: "FOREGROUND", 600: "BACKGROUND", 720: "BACKGROUND" };
    const rows = lake();
    for (let s = 0; s <= 900; s += 30) rows.add(at("10:00") + s * 1000, type[s] ? `APP_${type[s]}` : "HEARTBEAT");
    expect(await onlineMs(rows, { definition: BUILTIN.foreground })).toBe(600_000);
  });

  test("fault 14: before any state is set a session is not in the foreground", async () => {
    const first = lake().add("09:00", "APP_BACKGROUND").add("09:00:30", "HEARTBEAT");
    expect(await onlineMs(first, { definition: BUILTIN.foreground })).toBe(0);
    const night = lake()
      .add("-1 23:50", "APP_FOREGROUND")
      .beat("-1 23:50:30", "08:59:30")
      .add("09:00", "APP_BACKGROUND");
    expect(await onlineMs(night, { definition: BUILTIN.foreground })).toBe(9 * HOUR);
  });
});

describe.each(COUNTERS)("union and days: $name", ({ countDay, onlineMs, onlineOf }) => {
  const of = (session_id: string, device_id = session_id) => ({ session_id, device_id });
  const closedSession = (rows: LakeBuilder, session: string, from: string, to: string, device = session) => {
    rows.beat(from, at(to) - 1, 30_000, of(session, device));
    return rows.add(to, "SESSION_CLOSE", of(session, device));
  };

  test("fault 15: two sessions that overlap", async () => {
    const rows = closedSession(lake().beat("10:00", "10:30", 30_000, of("s1")), "s2", "10:20", "11:00");
    const { only } = await countDay(rows);
    expect(only.user_daily).toMatchObject([{ online_ms: 3_600_000, sessions: 2, devices: 2 }]);
    expect(only.session_daily.map((row) => row.online_ms)).toEqual([1_830_000, 2_400_000]);
  });

  test("fault 16: a long session around two short ones", async () => {
    const rows = closedSession(lake(), "A", "10:00", "12:00");
    closedSession(rows, "B", "10:10", "10:20");
    closedSession(rows, "C", "11:00", "11:30");
    expect(await onlineMs(rows)).toBe(7_200_000);
  });

  test("fault 17: two tabs of one device", async () => {
    const rows = closedSession(lake(), "A", "10:00", "10:26", "d");
    closedSession(rows, "B", "10:00", "10:26", "d");
    const { only } = await countDay(rows);
    expect(only.user_daily).toMatchObject([{ online_ms: 1_560_000, session_ms: 3_120_000, devices: 1 }]);
    expect(only.device_daily).toMatchObject([{ device_id: "d", online_ms: 1_560_000, session_ms: 3_120_000 }]);
  });

  test("fault 18: always on over three days", async () => {
    const rows = lake().beat("10:00", "+2 08:59:00", 60_000).add("+2 09:00", "SESSION_CLOSE");
    const days = await Promise.all([0, 1, 2].map((n) => onlineMs(rows, { startMs: D + n * DAY })));
    expect(days).toEqual([50_400_000, 86_400_000, 32_400_000]);
  });

  test("fault 19: a night in Europe/Berlin", async () => {
    const midnight = D - HOUR; // 2024-01-15 00:00 in Berlin
    const rows = lake()
      .beat(midnight - 2 * HOUR, midnight + 6 * HOUR - 1)
      .add(midnight + 6 * HOUR, "SESSION_CLOSE");
    expect(await onlineMs(rows, { startMs: midnight - DAY })).toBe(7_200_000);
    expect(await onlineMs(rows, { startMs: midnight })).toBe(21_600_000);
  });

  test("fault 20: a day in the middle of a session", async () => {
    const rows = lake().add("-1 23:00", "SESSION_START").beat("-1 23:01", "+1 00:59", 60_000);
    expect(await onlineMs(rows.add("+1 01:00", "SESSION_CLOSE"))).toBe(86_400_000);
  });

  test("fault 21: intervals are half-open at midnight", async () => {
    const after = lake().add("00:00", "SESSION_START").add("00:00:15", "SESSION_CLOSE");
    expect(await onlineOf(after, { startMs: D - DAY })).toEqual({});
    expect(await onlineMs(after)).toBe(15_000);
    const before = lake().add("-1 23:59:40", "SESSION_START").add("00:00", "SESSION_CLOSE");
    expect(await onlineMs(before, { startMs: D - DAY })).toBe(20_000);
    expect(await onlineOf(before)).toEqual({});
  });

  test("fault 63: over two days the parts of a session add up to its whole", async () => {
    const rows = lake().add("20:00", "SESSION_START").beat("20:00:30", "20:30").add("20:30:20", "LIVE_ENTER");
    rows.beat("23:00", "23:58:30").add("23:59:10", "USER_ACTIVE").add("+1 00:00:20", "HEARTBEAT");
    rows.beat("+1 03:00", "+1 03:20").add("+1 03:20:10", "SESSION_CLOSE");
    for (const definition of Object.values({ ...BUILTIN, long: define({ tailMs: HOUR }) })) {
      const parts = await Promise.all([0, 1].map((n) => onlineMs(rows, { startMs: D + n * DAY, definition })));
      const whole = await onlineMs(rows, { endMs: D + 2 * DAY, definition });
      expect(parts[0]! + parts[1]!, definition.name).toBe(whole);
      expect(whole).toBeGreaterThan(0);
    }
  });
});

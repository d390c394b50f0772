/** Hand-computed cases for rules that no known fault covers. */
import { describe, expect, test } from "vitest";
import { at, BUILTIN, countDay, DAY_START, define, HOUR, LakeBuilder, onlineMs } from "./build.ts";

const lake = () => new LakeBuilder();
const reasonsOf = (rows: LakeBuilder, options = {}) =>
  countDay(rows, options).quarantined_events.map((row) => [row.event_id, row.reason, row.detail]);

describe("which events count", () => {
  test("R1, R2: an event without a usable time has that of its partition's hour", () => {
    const rows = lake().add("10:30", "HEARTBEAT", { server_time: null });
    rows.add("10:30", "HEARTBEAT", { server_time: { unreadable: "x" } }, at("-1 23:00"));
    rows.add("12:00", "HEARTBEAT", {}, at("+1 01:00"));
    expect(reasonsOf(rows)).toEqual([["e0", "MISSING_FIELD", "server_time"]]);
    expect(countDay(rows).counts).toMatchObject({ owned: 1, accepted: 0 });
  });

  test("R3, R4: the first column in the rules' order is named", () => {
    const rows = lake().add("10:00", "HEARTBEAT", { user_id: "", session_id: null });
    rows.add("10:00", "HEARTBEAT", { sequence: { unreadable: "1.5" }, session_epoch: -1 });
    rows.add("10:00", "SERVER_TIMEOUT", { sequence: -1 }).add("10:00", "HEARTBEAT", { sequence: null });
    expect(reasonsOf(rows)).toEqual([
      ["e0", "MISSING_FIELD", "user_id"],
      ["e1", "INVALID_VALUE", "sequence"],
      ["e2", "INVALID_VALUE", "sequence"],
      ["e3", "MISSING_FIELD", "sequence"],
    ]);
    expect(reasonsOf(rows, { settings: { sequence: "arrival" } })).toEqual([
      ["e0", "MISSING_FIELD", "user_id"],
      ["e1", "INVALID_VALUE", "session_epoch"],
      ["e2", "STALE_TIMEOUT", null], // now that the last one is accepted
    ]);
  });

  test("R6: the slack is half-open", () => {
    const rows = lake().add("09:50", "HEARTBEAT", {}, at("10:00")).add("11:10", "HEARTBEAT", {}, at("10:00"));
    expect(reasonsOf(rows)).toEqual([["e1", "PARTITION_MISMATCH", null]]);
  });

  test("R7: other columns of the lake break ties, by name", () => {
    const same = { event_id: "e", sequence: 1 };
    const rows = lake().add("10:00", "HEARTBEAT", { ...same, others: { b: "1", a: "2" } });
    rows.add("10:00", "HEARTBEAT", { ...same, others: { b: "2", a: "1" } });
    expect(countDay(rows).quarantined_events).toMatchObject([{ reason: "DUPLICATE_EVENT", source_row: 0 }]);
  });

  test("R8: of equals the user and the device of the first event by epoch and sequence win", () => {
    const rows = lake().add("10:00", "HEARTBEAT", { sequence: 5 });
    rows.add("10:00:01", "HEARTBEAT", { user_id: "u2", sequence: 4, device_id: null });
    rows.add("10:00:02", "SERVER_TIMEOUT", { user_id: "u1" });
    expect(reasonsOf(rows)).toEqual([
      ["e0", "IDENTITY_CONFLICT", "user_id"],
      ["e2", "IDENTITY_CONFLICT", "user_id"],
    ]);
  });

  test("R9: nothing of an epoch counts from its fence on", () => {
    const rows = lake()
      .add("10:00", "SESSION_START")
      .add("10:00:10", "SESSION_START", { session_epoch: 1, sequence: 0 });
    rows.add("10:00:10", "HEARTBEAT").add("10:00:20", "SESSION_CLOSE", { session_epoch: 1 });
    expect(reasonsOf(rows)).toEqual([["e2", "STALE_EPOCH", null]]);
    expect(onlineMs(rows)).toBe(20_000);
  });

  test("R10: a timeout closer than serverTimeout is stale, one at it is valid", () => {
    const stale = lake().add("10:00", "HEARTBEAT").add("10:01:29.999", "SERVER_TIMEOUT");
    expect(reasonsOf(stale)).toEqual([["e1", "STALE_TIMEOUT", null]]);
    const valid = lake().add("10:00", "HEARTBEAT").add("10:01:30", "SERVER_TIMEOUT");
    expect(countDay(valid).only.session_daily).toMatchObject([{ online_ms: 30_000, close_reason: "SERVER_TIMEOUT" }]);
  });

  test("R11: lateness of allowedLateness is reordering, a millisecond more is LATE_EVENT", () => {
    const rows = lake().add("10:10", "HEARTBEAT", { sequence: 1 }).add("10:10:00.001", "HEARTBEAT", { sequence: 2 });
    rows.add("10:00", "HEARTBEAT", { sequence: 3 });
    const { counts } = countDay(rows);
    expect(reasonsOf(rows)).toEqual([["e1", "LATE_EVENT", null]]);
    expect(counts.reordered).toBe(1);
  });
});

describe("how long it lasts", () => {
  test("R13: a buffered upload happened when the client says, by the best guess of its clock", () => {
    const clock = -7 * HOUR;
    const rows = lake().add("10:00", "HEARTBEAT", { client_time: at("10:00") + clock });
    rows.add("10:05", "HEARTBEAT", { client_time: at("10:01") + clock });
    rows.add("10:05", "HEARTBEAT", { client_time: at("10:02") + clock });
    rows.add("10:05", "SESSION_CLOSE", { client_time: at("10:05") + clock });
    expect(onlineMs(rows)).toBe(30_000);
    const compensate = define({ lateUpload: "compensate" });
    expect(onlineMs(rows, { definition: compensate })).toBe(150_000); // 2 × 60 s, a gap of 3 min earns 30 s
    expect(onlineMs(rows, { definition: { ...compensate, maxShiftMs: 180_000 } })).toBe(60_000);
  });

  test("R14: a tail never reaches past the next event, nor past the fence", () => {
    const definition = define({ tailMs: 2 * HOUR });
    const rows = lake().add("10:00", "HEARTBEAT").add("11:00:00.001", "SESSION_CLOSE");
    expect(onlineMs(rows, { definition })).toBe(HOUR + 1);
    const atLookahead = lake().add("10:00", "HEARTBEAT").add("11:00", "SESSION_CLOSE");
    expect(onlineMs(atLookahead, { definition })).toBe(30_000);
  });

  test("R19: a session above maxSession counts nothing and is told of", () => {
    const rows = lake().beat("10:00", "10:10").add("10:10:00.001", "SESSION_CLOSE");
    const limit = (maxSessionMs: number) => countDay(rows, { definition: define({ maxSessionMs }) }).only;
    expect(limit(600_001).user_daily).toMatchObject([{ online_ms: 600_001 }]);
    const { user_daily, quarantined_sessions } = limit(600_000);
    expect(user_daily).toEqual([]);
    expect(quarantined_sessions).toMatchObject([
      { session_id: "s1", online_ms: 600_001, ended_at: at("10:10:00.001") },
    ]);
  });

  test("R20: of equal times the greater session is the later; a closer takes nothing over", () => {
    const rows = lake().add("10:00", "HEARTBEAT").add("10:00", "HEARTBEAT", { session_id: "s2", device_id: null });
    rows.add("10:00:20", "SESSION_CLOSE").add("10:00:30", "SESSION_CLOSE", { session_id: "s2" });
    // The closer of s2 names d1, which is then the device of both: nothing is cut.
    expect(countDay(rows, { definition: BUILTIN.lastSeen }).only.session_daily).toMatchObject([
      { session_id: "s1", online_ms: 20_000 },
      { session_id: "s2", online_ms: 30_000 },
    ]);
    const apart = lake().add("10:00", "HEARTBEAT").add("10:00", "HEARTBEAT", { session_id: "s2", device_id: null });
    apart.add("10:00:20", "SESSION_CLOSE");
    expect(countDay(apart, { definition: BUILTIN.lastSeen }).only.session_daily).toMatchObject([
      { session_id: "s2", online_ms: 60_000 },
    ]);
  });

  test("daily_summary and minute_online: nearest rank, first peak, unknown is not offline", () => {
    const rows = lake();
    for (const [user_id, ms] of [
      ["a", 10_000],
      ["b", 20_000],
      ["c", 30_000],
    ] as const) {
      const of = { user_id, session_id: user_id, device_id: user_id, client_type: user_id === "c" ? "web" : null };
      rows.add(at("10:00") + ms, "HEARTBEAT", of).add(at("10:00") + 2 * ms, "SESSION_CLOSE", of);
    }
    const { daily_summary, minute_online } = countDay(rows, { missingHours: [DAY_START + 11 * HOUR] }).only;
    const total = daily_summary.find((row) => row.dimension === "total");
    expect(total).toMatchObject({ users: 3, devices: 3, online_ms: 60_000, p50_ms: 20_000, p90_ms: 30_000 });
    // a [10 s, 20 s), b [20 s, 40 s), c [30 s, 60 s): two at once from 30 s on.
    expect(total).toMatchObject({ peak_users: 2, peak_at: at("10:00:30"), complete: false });
    expect(daily_summary.filter((row) => row.dimension === "client_type").map((row) => [row.value, row.users])).toEqual(
      [
        [null, 2],
        ["web", 1],
      ],
    );
    expect(minute_online).toHaveLength(1440);
    expect(minute_online[600]).toMatchObject({ minute_start: at("10:00"), online_users: 0, peak_users: 2 });
    expect(minute_online[659]).toMatchObject({ online_users: 0, peak_users: 0 });
    expect(minute_online[660]).toMatchObject({ online_users: null, peak_users: null });
  });
});

import { expect, test } from "vitest";
import { countDay, LakeBuilder } from "./build.ts";

const SHANGHAI_30 = Date.UTC(2026, 6, 29, 16); // 2026-07-30 00:00 in Asia/Shanghai
const DAY_MS = 24 * 3_600_000;

const lake = new LakeBuilder()
  .add(SHANGHAI_30 - 120_000, "SESSION_START")
  .beat(SHANGHAI_30 - 90_000, SHANGHAI_30 + 30_000)
  .add(SHANGHAI_30 + 600_000, "HEARTBEAT")
  .add(SHANGHAI_30 + 620_000, "SESSION_CLOSE");

test("worked example: 2026-07-29 in Asia/Shanghai has 120 000 ms", () => {
  const { only, counts } = countDay(lake, { startMs: SHANGHAI_30 - DAY_MS });
  expect(only.user_daily).toMatchObject([{ user_id: "u1", online_ms: 120_000, intervals: 1 }]);
  expect(counts).toMatchObject({ owned: 4, accepted: 4 });
});

test("worked example: 2026-07-30 in Asia/Shanghai has 80 000 ms in two intervals", () => {
  const { only } = countDay(lake, { startMs: SHANGHAI_30 });
  expect(only.user_daily).toMatchObject([{ user_id: "u1", online_ms: 80_000, session_ms: 80_000, intervals: 2 }]);
  expect(only.user_intervals).toMatchObject([
    { start_at: SHANGHAI_30, duration_ms: 60_000 },
    { start_at: SHANGHAI_30 + 600_000, duration_ms: 20_000 },
  ]);
  expect(only.session_daily).toMatchObject([
    { started_at: SHANGHAI_30 - 120_000, ended_at: SHANGHAI_30 + 620_000, close_reason: "SESSION_CLOSE" },
  ]);
});

/** Counters at the end of what a BIGINT holds, which the reference counter's numbers do not reach, and ids with NUL in them. */
import { expect, test } from "vitest";
import { runChecks } from "../../src/pipeline/checks.ts";
import { DEFAULT_SETTINGS } from "../../src/plan/settings.ts";
import { BUILTIN, DAY, DAY_START, HOUR, LakeBuilder } from "../oracle/build.ts";
import type { RawValues } from "../oracle/index.ts";
import { withStages } from "../support/run-memory.ts";

const LAST = 2n ** 63n - 1n;
const counters = (session_epoch: bigint, sequence: bigint) =>
  ({ session_epoch, sequence }) as unknown as Partial<RawValues>;

const lake = new LakeBuilder()
  .add("10:00", "SESSION_START", counters(LAST - 1n, LAST - 1n))
  .add("10:00:30", "HEARTBEAT", counters(LAST - 1n, LAST))
  .add("10:01", "SESSION_START", counters(LAST, 0n))
  .add("10:01:05", "HEARTBEAT", counters(LAST, LAST))
  .add("10:01:10", "HEARTBEAT", counters(LAST, 1n))
  .add("10:01:20", "HEARTBEAT", counters(LAST - 1n, 5n));
for (const name of ["n\0a", "n\0b", "n"])
  lake.add("11:00", "HEARTBEAT", { user_id: name, session_id: `${name}s`, device_id: `${name}d` });

test.each([false, true])(
  "counters near 2^63 and ids with NUL count as any other (matched by text: %s)",
  async (byText) => {
    const input = {
      events: lake.events,
      settings: DEFAULT_SETTINGS,
      definitions: [BUILTIN.connected, BUILTIN.active, BUILTIN.lastSeen],
      window: { zone: "UTC", day: DAY, startMs: DAY_START, endMs: DAY_START + 24 * HOUR },
    };
    await withStages({ ...input, byText }, async (session) => {
      const online = await session.rows(
        "select metric_no, user_id, online_ms from user_daily order by metric_no, user_id",
      );
      // From 10:00 up to 10:01:10 and the tail; the two last rows of u1 are no part of it.
      expect(online.map((row) => [row.metric_no, row.user_id, Number(row.online_ms)])).toEqual([
        [0, "n", 30_000],
        [0, "n\0a", 30_000],
        [0, "n\0b", 30_000],
        [0, "u1", 100_000],
        [1, "u1", 100_000],
        [2, "n", 60_000],
        [2, "n\0a", 60_000],
        [2, "n\0b", 60_000],
        [2, "u1", 130_000],
      ]);
      const rejected = await session.rows(
        "select reason, session_epoch, sequence from quarantined_events order by source_row",
      );
      expect(rejected).toEqual([
        { reason: "SEQUENCE_JUMP", session_epoch: LAST, sequence: LAST },
        { reason: "STALE_EPOCH", session_epoch: LAST - 1n, sequence: 5n },
      ]);
      expect((await runChecks(session)).filter(({ violations }) => violations > 0)).toEqual([]);
    });
  },
);

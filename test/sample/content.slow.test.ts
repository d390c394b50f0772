import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { compareTruth, truthTable } from "../../src/sample/compare-truth.ts";
import type { DayResult } from "../../src/usecases/rebuild-result.ts";
import { readPublished } from "../support/read-mart.ts";
import { FIRST_DAY, freshFolder, rebuildDay, writeSample } from "./support.ts";

describe("a day of a thousand people", () => {
  let lake: string;
  let mart: string;
  let day: DayResult;

  beforeAll(async () => {
    const folder = await freshFolder();
    [lake, mart] = [join(folder, "lake"), join(folder, "mart")];
    await writeSample({ out: lake, users: 1_000, truth: true, threads: 2 });
    day = await rebuildDay(lake, mart, FIRST_DAY);
  }, 240_000);

  test("is complete and holds no bad file", () => {
    expect(day).toMatchObject({ complete: true, badFiles: [] });
    expect(day.events.owned / 1_000).toBeGreaterThan(250);
    expect(day.events.owned / 1_000).toBeLessThan(700);
  });

  test("meets every reason for quarantine, most of them seldom", () => {
    const { quarantined, owned, reordered } = day.events;
    expect(Object.keys(quarantined).sort()).toEqual([
      ...["CONFLICTING_EVENT_ID", "DUPLICATE_EVENT", "DUPLICATE_SEQUENCE", "EVENT_AFTER_CLOSE", "IDENTITY_CONFLICT"],
      ...["INVALID_VALUE", "LATE_EVENT", "MISSING_FIELD", "PARTITION_MISMATCH", "SEQUENCE_JUMP", "STALE_EPOCH"],
      ...["STALE_TIMEOUT", "UNKNOWN_EVENT_TYPE"],
    ]);
    const all = Object.values(quarantined).reduce((sum, events) => sum + events, 0);
    expect(all / owned).toBeGreaterThan(0.005);
    expect(all / owned).toBeLessThan(0.015);
    expect(((quarantined.DUPLICATE_EVENT ?? 0) + (quarantined.DUPLICATE_SEQUENCE ?? 0)) / all).toBeGreaterThan(0.5);
    expect(reordered).toBeGreaterThan(0);
    expect(day.metrics.find(({ metric }) => metric === "foreground")?.quarantinedSessions).toBeGreaterThan(0);
  });

  test("meets what the details tell apart", async () => {
    const rows = (await readPublished(mart, `quarantined_events/date=${FIRST_DAY}`)) as Record<string, string>[];
    const details = (reason: string) => new Set(rows.filter((row) => row.reason === reason).map((row) => row.detail));
    expect(details("IDENTITY_CONFLICT")).toEqual(new Set(["user_id", "device_id"]));
    expect(details("LATE_EVENT")).toContain("closer");
    expect(details("MISSING_FIELD").size).toBeGreaterThan(3);
    expect(details("INVALID_VALUE")).toEqual(new Set(["server_time", "sequence"]));
  });

  test("is counted within a few percent of the truth by each definition, and most people within seconds", async () => {
    const misses = await compareTruth({ mart, truth: join(lake, "_truth") });
    expect(misses.map(({ metric, truth }) => [metric, truth])).toEqual([
      ["active", "active"],
      ["connected", "connected"],
      ["foreground", "foreground"],
      ["live-watch", "live"],
    ]);
    for (const { metric, totalMissPercent, userDays } of misses) {
      expect(Math.abs(totalMissPercent!), metric).toBeLessThan(6);
      expect(totalMissPercent, metric).not.toBe(0);
      expect(userDays, metric).toBeGreaterThan(200);
    }
    expect(misses.find(({ metric }) => metric === "connected")!.medianMissMs).toBeLessThan(30_000);
    expect(truthTable(misses).split("\n")).toHaveLength(misses.length + 2);
  });

  test("tells the truth of undisturbed people to the second", async () => {
    const truth = (await readPublished(lake, `_truth/date=${FIRST_DAY}`)) as Record<string, number>[];
    const counted = (await readPublished(mart, `user_daily/metric=connected/version=1/date=${FIRST_DAY}`)) as Record<
      string,
      number
    >[];
    const online = new Map(counted.map((row) => [row.user_id, row.online_ms!]));
    const near = truth.filter((row) => Math.abs(row.connected_ms! - (online.get(row.user_id!) ?? 0)) < 1_000);
    // The others lost a close, a beat or the network.
    expect(near.length / truth.length).toBeGreaterThan(0.1);
    for (const { connected_ms, foreground_ms, active_ms, live_ms } of truth) {
      expect(connected_ms).toBeLessThanOrEqual(24 * 3_600_000);
      expect(foreground_ms).toBeLessThanOrEqual(connected_ms!);
      expect(active_ms).toBeLessThanOrEqual(foreground_ms!);
      expect(live_ms).toBeLessThanOrEqual(foreground_ms!);
    }
  });
});

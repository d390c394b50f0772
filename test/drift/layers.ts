/**
 * Realtime layers against the mart of a seeded sample lake: right ones drift by 0 ms, and for each wrong one the first reason is
 * the one that it was made of.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { BUILTIN } from "../oracle/build.ts";
import { type SamplePlace, samplePlace } from "./sample-place.ts";
import * as layers from "./simulators.ts";

/** Tests of the right layers, and of the wrong ones whose reason is among `reasons`. */
export function testLayers(reasons: readonly string[]): void {
  let place: SamplePlace;
  beforeAll(async () => {
    // The seed's twenty people meet every mishap that the layers differ in.
    place = await samplePlace(20, 3);
  }, 240_000);

  const { foreground } = BUILTIN;
  /** Nothing may differ: some mishaps are rare, and small. */
  const STRICT = ["--max-total-drift", "0%", "--max-user-drift", "0%,0", "--max-users-over", "0%"];

  describe("a layer drifts by 0 ms that", () => {
    test.each([
      ["counts by the rules", "connected", () => layers.exact(place.heard)],
      ["counts by the rules, foreground only", "foreground", () => layers.exact(place.heard, foreground)],
      ["keeps markers of 90 s", "presence-90s", () => layers.markers(place.heard, 90_000)],
      ["keeps markers of 300 s", "ttl-300s", () => layers.markers(place.heard, 300_000)],
      ["keeps the device last seen, for 60 s", "last-seen-60s", () => layers.markers(place.heard, 60_000, true)],
    ])("%s", async (_, metric, figures) => {
      const { code, document } = await place.drift(figures(), metric, ...STRICT);
      expect(code).toBe(0);
      expect(document).toMatchObject({
        verdict: "pass",
        reasons: null,
        compared: { totals: { difference: 0 }, worst: [] },
      });
      expect(document.compared.counts.equal).toBe(document.compared.counts.compared);
      expect(document.compared.counts.compared).toBeGreaterThan(10);
    });
  });

  describe("a layer fails, and is told why, that", () => {
    test.each(
      (
        [
          [
            "takes a heartbeat for 30 s",
            "fixed-time-per-heartbeat",
            "connected",
            [],
            () => layers.heartbeats(place.heard),
          ],
          [
            "counts from login to logout",
            "login-to-logout",
            "connected",
            STRICT,
            () => layers.loginToLogout(place.heard),
          ],
          ["adds up devices", "devices-summed", "connected", [], () => layers.devicesSummed(place.heard)],
          ["adds up sessions", "sessions-summed", "connected", [], () => layers.sessionsSummed(place.heard)],
          [
            "believes the client's clock",
            "client-time-trusted",
            "connected",
            STRICT,
            () => layers.clientClock(place.heard),
          ],
          [
            ...(["takes events as they come", "arrival-order", "foreground", STRICT] as const),
            () => layers.exact(place.heard, foreground, { sequence: "arrival" }),
          ],
          ["knows no epochs", "stale-epochs-counted", "connected", STRICT, () => layers.withoutEpochs(place.heard)],
          ["caps no gap", "gaps-uncapped", "connected", STRICT, () => layers.withoutGaps(place.heard)],
          ["cuts the day in UTC", "utc-day", "connected", [], () => layers.exact(place.utc)],
          ["counts retries", "duplicates-kept", "connected", STRICT, () => layers.retriesCounted(place.heard)],
          ["does not know the foreground", "states-ignored", "foreground", [], () => layers.exact(place.heard)],
        ] as const
      ).filter(([, reason]) => reasons.includes(reason)),
    )(
      "%s",
      async (_, reason, metric, thresholds, figures) => {
        const { code, document } = await place.drift(figures(), metric, ...thresholds);
        expect(code).toBe(4);
        const { total, users, notes } = document.reasons;
        expect(total.reasons[0], JSON.stringify(total.reasons)).toMatchObject({ reason });
        expect(total.reasons[0].share).toBeGreaterThan(0.9);
        expect(users[0]).toMatchObject({ userId: document.compared.worst[0].subject });
        expect(users[0].reasons[0], JSON.stringify(users[0].reasons)).toMatchObject({ reason });
        expect(notes).toEqual([]);
        expect(total.users).toBe(total.differing);
        expect(total.offlineMs + (document.compared.totals.difference as number)).toBe(total.realtimeMs);
      },
      300_000,
    );

    test.runIf(reasons.includes("duplicates-kept"))(
      "adds 30 s per retry: the finding says so",
      async () => {
        const { document } = await place.drift(layers.retriesCounted(place.heard), "connected", ...STRICT);
        const [first] = document.reasons.total.reasons;
        expect(first.says).toMatch(
          /^adds 0:\d\d:\d\d(\.\d+)?: \d+ retries counted once more, 0:00:(2[89]|30)(\.\d+)? each$/,
        );
      },
      300_000,
    );
  });

  test.runIf(reasons.includes("utc-day"))(
    "a zone that was declared is no suspicion",
    async () => {
      const { document } = await place.drift(layers.exact(place.utc), "connected", "--realtime-tz", "Asia/Shanghai");
      const reasons = document.reasons.total.reasons.map((each: { reason: string }) => each.reason);
      expect(reasons).not.toContain("utc-day");
    },
    300_000,
  );
}

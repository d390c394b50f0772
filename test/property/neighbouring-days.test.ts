/** On lakes without conflicts across days, a session's parts over neighbouring days add up to its whole. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../src/plan/settings.ts";
import { BUILTIN, DAY, DAY_START, define, HOUR, LakeBuilder } from "../oracle/build.ts";
import { count } from "../oracle/index.ts";
import { withStages } from "../support/run-memory.ts";

const MIDNIGHT = DAY_START + 24 * HOUR;
const EXPRESSION = { op: "and", left: { op: "not", arg: { op: "state", name: "active" } } } as const;
const DEFINITIONS = [
  ...Object.values(BUILTIN),
  define({
    name: "inactive",
    expression: { ...EXPRESSION, right: { op: "state", name: "foreground" } },
    idleMs: 45_000,
    gapMaxMs: HOUR,
    gapCreditMs: 0,
    tailMs: 2 * HOUR,
    devices: "latest",
  }),
];

const eventOf = fc.record({
  delta: fc.constantFrom(0, 1, 20_000, 90_000, 90_001, 300_000, HOUR, HOUR + 1),
  type: fc.constantFrom("HEARTBEAT", "HEARTBEAT", "APP_FOREGROUND", "APP_BACKGROUND", "USER_ACTIVE", "USER_IDLE"),
  live: fc.constantFrom(null, null, null, "LIVE_ENTER", "LIVE_LEAVE"),
  lateMs: fc.constantFrom(0, 0, 0, 1, 60_000, 600_000),
  reconnects: fc.constantFrom(false, false, false, false, true),
  quietMs: fc.constantFrom(null, null, 0, 30_000, HOUR, HOUR + 1),
});
const sessionOf = fc.record({
  beforeMs: fc.constantFrom(0, 1, 90_000, HOUR, 3 * HOUR),
  events: fc.array(eventOf, { minLength: 2, maxLength: 25, size: "max" }),
});

type Sessions = typeof sessionOf extends fc.Arbitrary<infer T> ? readonly T[] : never;

/** A few sessions of one user on three devices. A connection begins after all that the one before it sent has arrived. */
function lakeOf(sessions: Sessions): LakeBuilder {
  const lake = new LakeBuilder();
  for (const [n, { beforeMs, events }] of sessions.entries()) {
    let time = MIDNIGHT - beforeMs;
    let epoch = 0;
    const values = { session_id: `s${n}`, device_id: `d${n % 3}` };
    lake.add(time, "SESSION_START", { ...values, session_epoch: epoch });
    for (const { delta, type, live, lateMs, reconnects, quietMs } of events) {
      time += delta;
      if (reconnects) {
        epoch++;
        time += 600_001;
      }
      lake.add(time + (reconnects ? 0 : lateMs), live ?? type, {
        ...values,
        session_epoch: epoch,
        client_time: time,
        last_active_at: quietMs === null ? null : time - quietMs,
      });
    }
  }
  return lake;
}

type Online = Map<string, number>;

function inputOf(lake: LakeBuilder, startMs: number, endMs: number) {
  return {
    events: lake.events,
    settings: { ...DEFAULT_SETTINGS, lookbackMs: 48 * HOUR },
    definitions: DEFINITIONS.map((definition) => ({ ...definition, maxSessionMs: null })),
    window: { zone: "UTC", day: DAY, startMs, endMs },
  };
}

/** Online time by definition and session, of a window as long as one day or both. */
async function byPipeline(lake: LakeBuilder, startMs: number, endMs: number): Promise<Online> {
  return withStages(inputOf(lake, startMs, endMs), async (session) => {
    const rows = await session.rows("select metric_no, session_id, online_ms from session_daily");
    return new Map(rows.map((row) => [`${row.metric_no} ${row.session_id}`, Number(row.online_ms)]));
  });
}

async function byReference(lake: LakeBuilder, startMs: number, endMs: number): Promise<Online> {
  const { definitions } = count({ ...inputOf(lake, startMs, endMs), lake, hoursWithData: [] });
  return new Map(
    definitions.flatMap(({ session_daily }, metricNo) =>
      session_daily.map((row): [string, number] => [`${metricNo} ${row.session_id}`, row.online_ms]),
    ),
  );
}

test.each([
  ["pipeline", byPipeline, 3],
  ["reference counter", byReference, 60],
] as const)("the parts of a session add up to its whole: %s", async (_, onlineOf, numRuns) => {
  await fc.assert(
    fc.asyncProperty(fc.array(sessionOf, { minLength: 1, maxLength: 4, size: "max" }), async (sessions) => {
      const lake = lakeOf(sessions);
      const whole = await onlineOf(lake, DAY_START, MIDNIGHT + 24 * HOUR);
      const parts = await onlineOf(lake, DAY_START, MIDNIGHT);
      for (const [key, ms] of await onlineOf(lake, MIDNIGHT, MIDNIGHT + 24 * HOUR))
        parts.set(key, (parts.get(key) ?? 0) + ms);
      expect(Object.fromEntries([...parts].sort())).toEqual(Object.fromEntries([...whole].sort()));
    }),
    { numRuns, seed: Math.floor(Date.now() / 86_400_000) },
  );
});

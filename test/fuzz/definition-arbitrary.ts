/** Random lake settings and definitions within the bounds of the rules. */
import fc from "fast-check";
import type { LakeSettings } from "../../src/plan/settings.ts";
import { HOUR, MINUTE, pick, SECOND } from "./choices.ts";
import { BUILTIN_DEFINITIONS, isWithinBounds, type RawDefinition, type RawState, toDuration } from "./definitions.ts";

const margins = pick<readonly [lookback: number, lookahead: number]>(
  [3, [24 * HOUR, HOUR]],
  [1, [24 * HOUR, 10 * MINUTE]],
  [2, [3 * HOUR, 20 * MINUTE]],
  [2, [HOUR, 10 * MINUTE]],
  [2, [90 * MINUTE, 5 * MINUTE]],
  [2, [30 * MINUTE, 2 * MINUTE]],
  [1, [72 * HOUR, 3 * HOUR]],
  [1, [HOUR, 0]],
);

export const settingsOf: fc.Arbitrary<LakeSettings> = fc
  .record({
    margins,
    partitionSlackMs: pick([3, 10 * MINUTE], [1, MINUTE], [1, 0], [1, 150 * MINUTE]),
    allowedLatenessMs: pick([2, MINUTE], [1, 10 * MINUTE], [2, 10 * SECOND], [1, 0]),
    maxSequenceJump: pick([4, 10_000], [2, 10], [1, 2], [1, 0]),
    serverTimeoutMs: pick([3, 90 * SECOND], [3, 30 * SECOND], [1, 0]),
    timeoutCloses: pick([1, false], [1, true]),
    eventTypes: pick<readonly string[]>([2, ["ORDER_PICKED"]], [1, []]),
    sequence: pick<"column" | "arrival">([6, "column"], [1, "arrival"]),
  })
  .map(({ margins: [lookbackMs, lookaheadMs], ...rest }) => ({
    ...rest,
    lookbackMs,
    lookaheadMs,
    allowedLatenessMs: Math.min(rest.allowedLatenessMs, lookaheadMs),
    timeUnit: "ms" as const,
  }));

const STATES: Record<string, RawState> = {
  watching: { on: ["LIVE_ENTER"], off: ["LIVE_LEAVE"] },
  busy: { column: "activity", equals: ["delivering", "pickup"] },
  s_1: { on: ["HEARTBEAT", "USER_IDLE"], off: ["APP_FOREGROUND", "SESSION_START"] },
  vip: { column: "channel", equals: ["vip", "😀"] },
  high: { column: "level", equals: ["2", "3"] },
};
const NAMES = ["connected", "foreground", "active", ...Object.keys(STATES)];

/** Texts of expressions; operators nest with and without parentheses. */
const { expression } = fc.letrec<{ expression: string; leaf: string }>((tie) => ({
  leaf: pick(...NAMES.map((name, i) => [i < 3 ? 3 : 1, name] as const)),
  expression: fc.oneof(
    { depthSize: "small", maxDepth: 3 },
    { weight: 3, arbitrary: tie("leaf") },
    { weight: 1, arbitrary: tie("expression").map((e) => `not ${e}`) },
    { weight: 1, arbitrary: tie("expression").map((e) => `( ${e})`) },
    { weight: 2, arbitrary: fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `${a} and ${b}`) },
    { weight: 2, arbitrary: fc.tuple(tie("expression"), tie("expression")).map(([a, b]) => `${a}  or ${b}`) },
  ),
}));

const rawDefinition = fc.record({
  online: expression,
  gapMax: pick([2, 30 * SECOND], [1, 10 * SECOND], [1, 90 * SECOND], [1, 5 * MINUTE], [1, 0]),
  credit: pick<number | "gap">([2, 10 * SECOND], [1, "gap"], [1, 0], [1, 30 * SECOND]),
  tail: pick([2, 30 * SECOND], [1, 0], [1, 7 * SECOND], [1, 10 * MINUTE], [1, HOUR]),
  idle: pick([2, 30 * SECOND], [1, 5 * MINUTE], [1, 5 * SECOND], [1, 30 * MINUTE], [1, 1], [1, 0]),
  foregroundAtStart: pick([2, true], [1, false]),
  devices: pick<"all" | "latest">([1, "all"], [1, "latest"]),
  lateUpload: pick<"ignore" | "compensate">([1, "ignore"], [1, "compensate"]),
  maxShift: pick([1, 10 * MINUTE], [1, 2 * MINUTE], [1, HOUR], [1, 0]),
  maxSession: pick<number | null>([8, null], [1, MINUTE], [1, 5 * MINUTE], [1, 20 * MINUTE], [1, 0]),
});

function within(
  raw: typeof rawDefinition extends fc.Arbitrary<infer T> ? T : never,
  settings: LakeSettings,
  n: number,
) {
  const { lookbackMs, lookaheadMs, eventTypes } = settings;
  const states = Object.entries(STATES).filter(([name]) => new RegExp(`\\b${name}\\b`).test(raw.online));
  const gapMax = Math.min(raw.gapMax, lookaheadMs);
  const definition: RawDefinition = {
    name: `random-${n}`,
    version: n + 1,
    online: raw.online,
    gap: {
      max: toDuration(gapMax),
      credit: toDuration(raw.credit === "gap" ? gapMax : Math.min(raw.credit, gapMax)),
    },
    tail: toDuration(Math.min(raw.tail, lookbackMs)),
    idle: toDuration(Math.min(raw.idle, lookbackMs)),
    foregroundAtStart: raw.foregroundAtStart,
    devices: raw.devices,
    lateUpload: raw.lateUpload,
    maxShift: toDuration(Math.min(raw.maxShift, lookaheadMs)),
    maxSession: raw.maxSession === null ? null : toDuration(raw.maxSession),
  };
  if (states.length > 0) {
    definition.states = Object.fromEntries(
      states.map(([name, state]) => {
        const declared = name === "s_1" && "on" in state && eventTypes.includes("ORDER_PICKED");
        return [name, declared ? { on: [...state.on, "ORDER_PICKED"], off: state.off } : state];
      }),
    );
  }
  return definition;
}

/** Choices that become definitions once the settings are known. The first is the one that the lake is aimed at. */
export const definitionChoices = fc.record({
  random: fc.array(rawDefinition, { minLength: 1, maxLength: 3, size: "max" }),
  builtin: fc.subarray(BUILTIN_DEFINITIONS.map((_, i) => i)),
});

export function definitionsOf(
  choices: typeof definitionChoices extends fc.Arbitrary<infer T> ? T : never,
  settings: LakeSettings,
): RawDefinition[] {
  const builtin = choices.builtin.map((i) => BUILTIN_DEFINITIONS[i]!);
  return [
    ...choices.random.map((raw, n) => within(raw, settings, n)),
    ...builtin.filter((raw) => isWithinBounds(raw, settings.lookbackMs, settings.lookaheadMs)),
  ];
}

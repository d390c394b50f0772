/** Small building blocks of the hostile generator. */
import fc from "fast-check";
import type { Definition } from "../../src/definitions/definition.ts";
import type { LakeSettings } from "../../src/plan/settings.ts";

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** One of the values, by weight. Shrinks towards the first, so that the tamest value stands there. */
export function pick<T>(...options: readonly (readonly [weight: number, value: T])[]): fc.Arbitrary<T> {
  const table = options.flatMap(([weight, value]) => Array.from({ length: weight }, () => value));
  return fc.integer({ min: 0, max: table.length - 1 }).map((i) => table[i]!);
}

/** Spans of time that the rules are about; what they are in ms follows from the settings and one definition. */
export type Span =
  | "0"
  | "1ms"
  | "5s"
  | "20s"
  | "1m"
  | "10m"
  | "1h"
  | "gap"
  | "gap+1"
  | "credit"
  | "tail"
  | "idle"
  | "ahead"
  | "ahead+1"
  | "late"
  | "late+1"
  | "timeout"
  | "timeout-1"
  | "shift"
  | "shift+1"
  | "maxSession";

/** The instants that sessions are thrown around. */
export type Anchor = "start" | "end" | "noon" | "from" | "to";

export interface Frame {
  readonly settings: LakeSettings;
  /** The definition whose spans the generator aims at. */
  readonly definition: Definition;
  readonly startMs: number;
  readonly endMs: number;
}

export function spanMs(span: Span, { settings, definition }: Frame): number {
  const fixed: Partial<Record<Span, number>> = { "0": 0, "1ms": 1, "5s": 5 * SECOND, "20s": 20 * SECOND };
  const named: Record<string, number> = {
    ...fixed,
    "1m": MINUTE,
    "10m": 10 * MINUTE,
    "1h": HOUR,
    gap: definition.gapMaxMs,
    credit: definition.gapCreditMs,
    tail: definition.tailMs,
    idle: definition.idleMs ?? 30 * SECOND,
    ahead: settings.lookaheadMs,
    late: settings.allowedLatenessMs,
    timeout: settings.serverTimeoutMs,
    shift: definition.maxShiftMs,
    maxSession: definition.maxSessionMs ?? HOUR,
  };
  const [, name, change] = /^(.+?)([+-]1)?$/.exec(span)!;
  return Math.max(0, named[name!]! + Number(change ?? 0));
}

export function anchorMs(anchor: Anchor, { settings, startMs, endMs }: Frame): number {
  if (anchor === "start") return startMs;
  if (anchor === "end") return endMs;
  if (anchor === "noon") return startMs + Math.floor((endMs - startMs) / 2);
  return anchor === "from" ? startMs - settings.lookbackMs : endMs + settings.lookaheadMs;
}

/** How far an event comes after the one before it. */
export const step: fc.Arbitrary<Span> = pick<Span>(
  [6, "20s"],
  [3, "5s"],
  [2, "0"],
  [1, "1ms"],
  [3, "gap"],
  [3, "gap+1"],
  [1, "credit"],
  [1, "tail"],
  [1, "idle"],
  [1, "ahead"],
  [1, "ahead+1"],
  [2, "timeout"],
  [1, "timeout-1"],
  [2, "1m"],
  [1, "10m"],
  [1, "1h"],
);

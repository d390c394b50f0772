/** Definitions as their YAML file would say them, and a small conversion of their own to what the counter needs. */
import type { Definition, Expression, StateRule } from "../../src/definitions/definition.ts";

/** `0`, or like `90s`, `1h30m`. */
export type RawDuration = string | 0;
export type RawState = { on: string[]; off: string[] } | { column: string; equals: string[] };

/** The shape of a definition's YAML file. */
export interface RawDefinition {
  name: string;
  version: number;
  description?: string;
  online: string;
  gap: { max: RawDuration; credit: RawDuration };
  tail: RawDuration;
  idle?: RawDuration;
  foregroundAtStart?: boolean;
  devices?: "all" | "latest";
  lateUpload?: "ignore" | "compensate";
  maxShift?: RawDuration;
  maxSession?: RawDuration | null;
  states?: Record<string, RawState>;
}

const UNITS = [
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
  ["ms", 1],
] as const;

export function toDuration(ms: number): RawDuration {
  if (ms === 0) return 0;
  let rest = ms;
  let text = "";
  for (const [unit, size] of UNITS) {
    if (rest >= size) text += `${Math.floor(rest / size)}${unit}`;
    rest %= size;
  }
  return text;
}

export function toMs(duration: RawDuration): number {
  if (duration === 0) return 0;
  const parts = [...duration.matchAll(/(\d+)(ms|h|m|s)/g)];
  return parts.reduce((sum, [, n, unit]) => sum + Number(n) * UNITS.find(([name]) => name === unit)![1], 0);
}

/** `not` binds tightest, then `and`, then `or`. */
export function toExpression(text: string): Expression {
  const tokens = text.match(/[()]|[a-z][a-z0-9_]*/g) ?? [];
  let position = 0;
  const accept = (token: string): boolean => {
    if (tokens[position] !== token) return false;
    position++;
    return true;
  };
  const operand = (): Expression => {
    if (accept("not")) return { op: "not", arg: operand() };
    if (accept("(")) {
      const inner = either();
      if (!accept(")")) throw new Error(`no closing parenthesis: ${text}`);
      return inner;
    }
    return { op: "state", name: tokens[position++]! };
  };
  const both = (): Expression => {
    let left = operand();
    while (accept("and")) left = { op: "and", left, right: operand() };
    return left;
  };
  const either = (): Expression => {
    let left = both();
    while (accept("or")) left = { op: "or", left, right: both() };
    return left;
  };
  const whole = either();
  if (position !== tokens.length) throw new Error(`cannot read the rest: ${text}`);
  return whole;
}

const usesActive = (e: Expression): boolean =>
  e.op === "state"
    ? e.name === "active"
    : e.op === "not"
      ? usesActive(e.arg)
      : usesActive(e.left) || usesActive(e.right);

const toRule = (raw: RawState): StateRule =>
  "column" in raw ? { kind: "column", ...raw } : { kind: "types", on: raw.on, off: raw.off };

export function toDefinition(raw: RawDefinition): Definition {
  const expression = toExpression(raw.online);
  const names = Object.keys(raw.states ?? {}).sort();
  return {
    name: raw.name,
    version: raw.version,
    description: raw.description ?? "",
    online: raw.online.trim().replaceAll(/\s+/g, " "),
    expression,
    gapMaxMs: toMs(raw.gap.max),
    gapCreditMs: toMs(raw.gap.credit),
    tailMs: toMs(raw.tail),
    idleMs: usesActive(expression) ? toMs(raw.idle!) : null,
    foregroundAtStart: raw.foregroundAtStart ?? true,
    devices: raw.devices ?? "all",
    lateUpload: raw.lateUpload ?? "ignore",
    maxShiftMs: toMs(raw.maxShift ?? "10m"),
    maxSessionMs: raw.maxSession == null ? null : toMs(raw.maxSession),
    states: new Map(names.map((name) => [name, toRule(raw.states![name]!)])),
    hash: `${raw.name}@${raw.version}`,
  };
}

const builtin = (name: string, online: string, max: RawDuration, credit: RawDuration, tail: RawDuration) => ({
  name,
  version: 1,
  online,
  gap: { max, credit },
  tail,
});

/** The rules' table of built-in definitions. */
export const BUILTIN_DEFINITIONS: readonly RawDefinition[] = [
  builtin("connected", "connected", "90s", "30s", "30s"),
  { ...builtin("foreground", "foreground", "90s", "30s", "30s"), maxSession: "24h" },
  { ...builtin("active", "active", "90s", "30s", "30s"), idle: "5m", maxSession: "24h" },
  {
    ...builtin("live-watch", "watching and foreground", "90s", "30s", "30s"),
    maxSession: "24h",
    states: { watching: { on: ["LIVE_ENTER"], off: ["LIVE_LEAVE"] } },
  },
  builtin("capped", "connected", "60s", "60s", 0),
  builtin("presence-90s", "connected", "90s", "90s", "90s"),
  { ...builtin("last-seen-60s", "connected", "60s", "60s", "60s"), devices: "latest" },
  builtin("ttl-300s", "connected", "300s", "300s", "300s"),
];

/** Whether a definition keeps the bounds that the rules set by lookback and lookahead. */
export function isWithinBounds(raw: RawDefinition, lookbackMs: number, lookaheadMs: number): boolean {
  const d = toDefinition(raw);
  return (
    d.gapCreditMs <= d.gapMaxMs &&
    d.gapMaxMs <= lookaheadMs &&
    d.maxShiftMs <= lookaheadMs &&
    [d.gapMaxMs, d.tailMs, d.idleMs ?? 0, d.maxSessionMs ?? 0].every((ms) => ms <= lookbackMs)
  );
}

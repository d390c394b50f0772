import type { Definition } from "./definition.ts";
import { evaluate } from "./expression.ts";

/** Masks are small integers: with more own states than this the table would outgrow its use. */
export const MAX_OWN_STATES = 10;

/** Bits of a mask: foreground 1, active 2, then 4, 8, 16, … for the definition's own states in their order. */
export const FOREGROUND_BIT = 1;
export const ACTIVE_BIT = 2;
export const FIRST_OWN_BIT = 4;

/**
 * R18 as a table: every mask of states under which a connected user is online, ascending. Active without foreground is left
 * out, since active time lies in foreground time (R16).
 */
export function onlineMasks(definition: Pick<Definition, "expression" | "states">): number[] {
  const bits: [string, number][] = [
    ["foreground", FOREGROUND_BIT],
    ["active", ACTIVE_BIT],
    ...[...definition.states.keys()].map((name, i): [string, number] => [name, FIRST_OWN_BIT << i]),
  ];
  const masks: number[] = [];
  for (let mask = 0; mask < 1 << bits.length; mask++) {
    if (mask & ACTIVE_BIT && !(mask & FOREGROUND_BIT)) continue;
    const on = new Set(["connected", ...bits.filter(([, bit]) => mask & bit).map(([name]) => name)]);
    if (evaluate(definition.expression, on)) masks.push(mask);
  }
  return masks;
}

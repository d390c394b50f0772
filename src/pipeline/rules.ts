/**
 * The version of the counting rules. Every change that alters numbers raises it; days that were built under a lower one are
 * stale.
 */
export const RULES = 1;

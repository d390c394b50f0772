import type { DriftLimits, RowLimit, Scope } from "./drift-result.ts";

/** What is asked for, for all scopes. Shares from 0 to 1. */
export interface DriftThresholds {
  readonly toleranceMs: number;
  readonly total: number;
  /** Amount in ms. */
  readonly user: RowLimit;
  readonly usersOver: number;
  /** Amount in users. */
  readonly minute: RowLimit;
  readonly minutesOver: number;
}

export const DEFAULT_THRESHOLDS: DriftThresholds = {
  toleranceMs: 0,
  total: 0.005,
  user: { share: 0.05, amount: 60_000 },
  usersOver: 0.001,
  minute: { share: 0.05, amount: 10 },
  minutesOver: 0.01,
};

/**
 * The limits of a scope. A dimension's values are totals themselves: each may be as far off as the total. At an instant a user is
 * online or is not: whoever is on one side only is over.
 */
export function limitsOf(scope: Scope, asked: DriftThresholds): DriftLimits {
  const { toleranceMs, total } = asked;
  switch (scope) {
    case "users":
      return { toleranceMs, total, row: asked.user, rowsOver: asked.usersOver };
    case "dimensions":
      return { toleranceMs, total, row: { share: total, amount: 0 }, rowsOver: 0 };
    case "minutes":
      return { toleranceMs, total, row: asked.minute, rowsOver: asked.minutesOver };
    case "instant":
      return { toleranceMs, total, row: { share: 0, amount: 0 }, rowsOver: asked.usersOver };
  }
}

import type { Distribution } from "../drift/distribution.ts";

/** What is compared: a definition's results in a mart. */
export interface DiffSide {
  /** As it was asked for. */
  readonly asked: string;
  readonly mart: string;
  readonly metric: string;
  readonly version: number;
  /** Of one date: the commit that its results are taken from; null where they are the last ones, or counted for the comparison. */
  readonly commit: number | null;
  /** Whether it was counted from the lake for the comparison, and is in no mart. */
  readonly counted: boolean;
}

/** An amount on both sides. */
export interface Change {
  readonly base: number;
  readonly head: number;
  /** head - base. */
  readonly change: number;
  /** Of base; null where that is 0. */
  readonly share: number | null;
}

export interface DimensionChange extends Change {
  readonly dimension: string;
  /** Null for unknown. */
  readonly value: string | null;
}

/** A user with a large change; a side is null where the user is not in it. */
export interface Mover {
  readonly userId: string;
  readonly baseMs: number | null;
  readonly headMs: number | null;
  readonly changeMs: number;
  /** Of base; null where that is 0. */
  readonly share: number | null;
}

/** All amounts are sums over the days; those of time in whole ms. */
export interface DiffResult {
  readonly days: readonly string[];
  readonly zone: string;
  readonly base: DiffSide;
  readonly head: DiffSide;
  readonly toleranceMs: number;
  readonly totals: {
    readonly onlineMs: Change;
    readonly sessionMs: Change;
    readonly sessions: Change;
    /** Users on any of the days. */
    readonly users: Change;
    /** Users of each day, added up. */
    readonly userDays: Change;
  };
  readonly users: {
    readonly compared: number;
    /** Within the tolerance. */
    readonly unchanged: number;
    readonly grown: number;
    readonly shrunk: number;
    /** Of the grown ones, those that base has not. */
    readonly appeared: number;
    /** Of the shrunk ones, those that head has not. */
    readonly vanished: number;
  };
  readonly distribution: Distribution;
  /** Online time by value, of every dimension; largest changes of a dimension first. */
  readonly dimensions: readonly DimensionChange[];
  /** Largest changes first. */
  readonly movers: readonly Mover[];
  /** Null where no limit was asked for. */
  readonly gate: { readonly limit: number; readonly verdict: "pass" | "fail" } | null;
  readonly notes: readonly string[];
}

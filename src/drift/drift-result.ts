import type { Distribution } from "./distribution.ts";
import type { Reasons } from "./reasons.ts";

/** What a realtime file has figures of. */
export type Scope = "users" | "dimensions" | "minutes" | "instant";

/** Amounts are whole ms of online time, or users online. */
export type Unit = "ms" | "users";

export type Verdict = "pass" | "warn" | "fail";

/** What a row's difference has to exceed, both, to count as over: a share of the offline figure, and an amount. */
export interface RowLimit {
  /** From 0 to 1. */
  readonly share: number;
  /** Ms, or users where users are counted. */
  readonly amount: number;
}

/** A realtime figure beside the offline one; null where that side has none, which counts as 0 in the difference. */
export interface Difference {
  /** A user's id, a dimension's name, or a minute's start (ISO 8601, UTC). */
  readonly subject: string;
  /** Of a dimension; null for unknown, and in other scopes. */
  readonly value: string | null;
  readonly offline: number | null;
  readonly realtime: number | null;
  /** realtime - offline. */
  readonly difference: number;
  /** Of the offline figure; null where that is 0. */
  readonly share: number | null;
  /** Whether it counts as over. */
  readonly over: boolean;
}

/** One threshold, and how far the comparison is from it. */
export interface Gate {
  readonly gate: "total" | "over" | "near";
  /** In words, with the figures. */
  readonly says: string;
  /** A share, of what `says` names; null where there is nothing to take it of. */
  readonly measured: number | null;
  /** The share above which it fails; half of it warns. */
  readonly limit: number;
  readonly verdict: Verdict;
}

/** Sums over all rows of both sides. */
export interface Totals {
  readonly offline: number;
  readonly realtime: number;
  readonly difference: number;
  /** Of offline; null where that is 0. */
  readonly share: number | null;
}

export interface Counts {
  /** Rows that either side has. */
  readonly compared: number;
  /** Those within the tolerance. */
  readonly equal: number;
  /** Those whose difference counts as over. */
  readonly over: number;
  /** Those beyond half of what counts as over. */
  readonly near: number;
  readonly offlineOnly: number;
  readonly realtimeOnly: number;
}

/** Rows of the realtime file that are not compared, by why. */
export interface LeftAside {
  readonly otherDates: number;
  readonly otherDefinitions: number;
  /** Minutes outside of the day, or of hours that the lake has not. */
  readonly otherMinutes: number;
  /** Members of a sorted set whose score is too old at the instant, or lies after it. */
  readonly otherScores: number;
}

export interface Compared {
  readonly unit: Unit;
  readonly totals: Totals | null;
  readonly counts: Counts;
  readonly gates: readonly Gate[];
  /** Largest differences first. */
  readonly worst: readonly Difference[];
  /** Of users' differences; null in other scopes. */
  readonly distribution: Distribution | null;
  /** Every minute of the day in which both sides are known; empty in other scopes. */
  readonly minutes: readonly MinutePair[];
}

export interface MinutePair {
  /** ISO 8601, UTC. */
  readonly minute: string;
  readonly offline: number;
  readonly realtime: number | null;
}

export interface DriftLimits {
  /** In ms; of instants: how far around it a user may be on the other side. Of minutes it is not used. */
  readonly toleranceMs: number;
  /** Shares from 0 to 1. */
  readonly total: number;
  readonly row: RowLimit;
  readonly rowsOver: number;
}

export interface DriftResult {
  readonly day: string;
  readonly zone: string;
  readonly metric: string;
  readonly version: number;
  readonly scope: Scope;
  /** Of a sorted set's dump: the instant, ISO 8601 in UTC. */
  readonly at: string | null;
  readonly out: string;
  readonly runId: string;
  readonly complete: boolean;
  readonly realtime: {
    readonly file: string;
    readonly format: "parquet" | "csv" | "ndjson";
    readonly rows: number;
    readonly leftAside: LeftAside;
  };
  readonly comparedAt: string;
  readonly limits: DriftLimits;
  readonly verdict: Verdict | "not comparable";
  /** Why it is not comparable; null where it is. */
  readonly notComparable: string | null;
  readonly compared: Compared | null;
  /** Null without a lake, and where nothing differs. */
  readonly reasons: Reasons | null;
  readonly notes: readonly string[];
}

import type { Interval } from "../explain/explained-definition.ts";

/** What a report shows: plain data for page, text and JSON. Times are ms of Unix time. */
export interface Report {
  readonly out: string;
  readonly zone: string;
  /** The business days asked for, in order, and those that the mart does not have. */
  readonly days: readonly string[];
  readonly missingDays: readonly string[];
  /** From the start of the first to the end of the last. */
  readonly spanMs: Interval;
  /** The first one is shown in detail. */
  readonly definitions: readonly DefinitionReport[];
  /** Of the first definition, in the order of the dimensions, most time first. */
  readonly values: readonly ValueReport[];
  /** Of the first definition: users by online time within a day; over several days, users are counted on each. */
  readonly distribution: readonly DistributionStep[];
  readonly quarantine: QuarantineOverTime;
  readonly quality: readonly DayQuality[];
  /** Comparisons of the realtime layer's totals that the mart's history has, of the month that ends with the last day. */
  readonly drift: readonly DriftPoint[];
}

/** The days under one definition. */
export interface DefinitionReport {
  readonly metric: string;
  readonly version: number;
  readonly total: PeriodFigures;
  readonly days: readonly DayFigures[];
  /** The days just before, and a week before; null where the mart lacks one of them. */
  readonly before: readonly Comparison[];
  readonly curve: readonly CurvePoint[];
}

/** A day under one definition, as `daily_summary` has its total. */
export interface DayFigures {
  readonly day: string;
  readonly users: number;
  readonly sessions: number;
  readonly devices: number;
  readonly onlineMs: number;
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  readonly p99Ms: number | null;
  readonly peakUsers: number;
  readonly peakAtMs: number | null;
  readonly complete: boolean;
}

/** Sums over days: a user counts on each day, so that users are user days where there are several. */
export interface PeriodFigures {
  readonly days: number;
  readonly users: number;
  readonly onlineMs: number;
  readonly sessions: number;
  readonly peakUsers: number;
  readonly peakAtMs: number | null;
}

/** Other days of the same number. */
export interface Comparison {
  /** `the day before`, `a week before`, `the 7 days before`. */
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly figures: PeriodFigures | null;
}

/** Users online: at the minute of a single day, or the most within a step of several. Null: the lake does not have the hour. */
export interface CurvePoint {
  readonly atMs: number;
  readonly users: number | null;
}

/** A value of client_type, channel, app_version or region; users are summed over days. */
export interface ValueReport {
  readonly dimension: string;
  /** Null: unknown. */
  readonly value: string | null;
  readonly users: number;
  readonly onlineMs: number;
}

/** Users whose online time of the day is at least `fromMs` and below `toMs`; null: no end. */
export interface DistributionStep {
  readonly fromMs: number;
  readonly toMs: number | null;
  readonly users: number;
}

/** Rejected events, and when they happened. */
export interface QuarantineOverTime {
  readonly owned: number;
  readonly quarantined: number;
  /** Most first. */
  readonly reasons: readonly { readonly reason: string; readonly events: number }[];
  /** By hour, over several days by day; `events` in the order of `reasons`. */
  readonly steps: readonly { readonly atMs: number; readonly events: readonly number[] }[];
  /** Events whose server_time lies outside of these days or is unreadable, in the order of `reasons`. */
  readonly unplaced: readonly number[];
}

/** What a day was built from, as its run's manifest says. */
export interface DayQuality {
  readonly day: string;
  readonly runId: string;
  readonly createdAt: string;
  readonly complete: boolean;
  readonly incompleteBecause: readonly string[];
  readonly files: number;
  readonly badFiles: number;
  readonly owned: number;
  readonly accepted: number;
  readonly reordered: number;
  /** Checks C1 to C8 that did not hold; none in a day that was published. */
  readonly brokenChecks: number;
  readonly warnings: readonly string[];
}

/** A comparison of the realtime layer's total with the mart's. */
export interface DriftPoint {
  readonly day: string;
  readonly metric: string;
  readonly version: number;
  readonly verdict: string;
  /** Realtime minus offline, of the offline total. */
  readonly share: number;
}

/** Corrections of the counting that a realtime layer may lack, and others that it may make. */
export type ReasonId =
  | "duplicates-kept"
  | "arrival-order"
  | "stale-epochs-counted"
  | "gaps-uncapped"
  | "login-to-logout"
  | "sessions-summed"
  | "devices-summed"
  | "client-time-trusted"
  | "fixed-time-per-heartbeat"
  | "utc-day"
  | "late-events-missing"
  | "states-ignored";

/** What counting again with one correction left out says of a difference. */
export interface Reason {
  readonly reason: ReasonId;
  /** A sentence, with the figures. */
  readonly says: string;
  /** What leaving it out adds to the offline figure, in ms; negative where it takes away. */
  readonly effectMs: number;
  /** By how much the difference would be smaller, summed over users, in ms. Those of several reasons need not add up. */
  readonly explainedMs: number;
  /** `explainedMs` of the size of the difference, at most 1. */
  readonly share: number;
  /** How many of what `says` names; null where nothing is counted. */
  readonly items: number | null;
}

/** The reasons of one user's difference, most first. */
export interface UserReasons {
  readonly userId: string;
  /** What the lake gives now, in ms; the mart's figure unless the lake has changed. */
  readonly offlineMs: number;
  readonly realtimeMs: number;
  readonly reasons: readonly Reason[];
}

export interface Reasons {
  /** Of the total: over all users that differ, or a sample of them. */
  readonly total: {
    /** Users counted again. */
    readonly users: number;
    /** Users that differ by more than the tolerance. */
    readonly differing: number;
    readonly offlineMs: number;
    readonly realtimeMs: number;
    /** Sum of the sizes of their differences, in ms. */
    readonly differenceMs: number;
    readonly reasons: readonly Reason[];
  };
  /** Of the worst users. */
  readonly users: readonly UserReasons[];
  /** What could not be told, and why. */
  readonly notes: readonly string[];
}

/** A user's day under a definition, as explain tells it. Times are ms of Unix time. */

export interface Interval {
  readonly startMs: number;
  /** Exclusive. */
  readonly endMs: number;
}

export interface ExplainedDefinition {
  readonly name: string;
  readonly version: number;
  readonly online: string;
  readonly hash: string;
  readonly gapMaxMs: number;
  readonly gapCreditMs: number;
  readonly tailMs: number;
  readonly idleMs: number | null;
  readonly foregroundAtStart: boolean;
  readonly devices: "all" | "latest";
  readonly lateUpload: "ignore" | "compensate";
  readonly maxSessionMs: number | null;
  readonly sessions: readonly SessionTime[];
  /** R21: the union over sessions and devices, cut to the day. */
  readonly intervals: readonly Interval[];
  /** The sum: what the user has on the day. */
  readonly onlineMs: number;
  readonly sessionMs: number;
  readonly mart: MartComparison;
}

/** A session of the user under a definition. */
export interface SessionTime {
  readonly sessionId: string;
  readonly startedMs: number;
  readonly endedMs: number;
  readonly closeReason: string;
  /** R16. */
  readonly activity: readonly ActiveInterval[];
  /** R18: as the read window shows it. */
  readonly online: readonly Interval[];
  /** R19: quarantined for its length, and counts nothing. */
  readonly tooLong: boolean;
  /** After R19 and R20. */
  readonly counted: readonly Interval[];
  /** After R22. */
  readonly inDay: readonly Interval[];
  readonly inDayMs: number;
}

export interface ActiveInterval extends Interval {
  readonly interactions: number;
  readonly lastInteractionMs: number;
  /** A USER_IDLE ended it before `idle` was over. */
  readonly endedByIdle: boolean;
}

export type MartComparison =
  | { readonly kind: "not-asked" }
  /** The mart has no such day, or not of this definition. */
  | { readonly kind: "not-built" }
  /** `onlineMs` 0: the mart has no row of the user. */
  | { readonly kind: "row"; readonly runId: string; readonly onlineMs: number; readonly equal: boolean };

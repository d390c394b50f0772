import type { Interval } from "../explain/explained-definition.ts";

/** Who was online at an instant, as a definition counts it. Times are ms of Unix time. */
export interface OnlineAnswer {
  readonly atMs: number;
  /** The business day that the instant lies in, whose rows are read. */
  readonly day: string;
  readonly zone: string;
  readonly dayMs: Interval;
  readonly metric: string;
  readonly version: number;
  readonly lake: string;
  /** Null: no mart was asked. */
  readonly out: string | null;
  /** All of them, also those that are not listed. */
  readonly users: number;
  readonly sessions: number;
  readonly devices: number;
  /** By last activity, newest first; of equals by id. At most the limit. */
  readonly online: readonly OnlineUser[];
  readonly mart: OnlineInMart;
  /** What deserves a look: a part of the day is missing, … */
  readonly notes: readonly string[];
}

/** A user who was online at the instant. */
export interface OnlineUser {
  readonly userId: string;
  /** When the latest event happened that a client of these sessions had sent by then (R11, R13). */
  readonly lastSeenMs: number;
  /** Since when the user had been online without a break, not before the start of the day. */
  readonly sinceMs: number;
  /** Distinct devices of these sessions; a session without one is a device of its own. */
  readonly devices: number;
  readonly sessions: number;
  readonly clientTypes: readonly string[];
  /** States that hold beside connected, in at least one session: `foreground`, `active`, own ones. */
  readonly states: readonly string[];
}

/** What the mart says of the instant. */
export type OnlineInMart =
  | { readonly kind: "not-asked" }
  /** The mart has no such day, or not of this definition. */
  | { readonly kind: "not-built" }
  /** `equal`: the very same users. */
  | { readonly kind: "users"; readonly runId: string; readonly users: number; readonly equal: boolean };

/**
 * Lake settings: one set for a whole mart, the same for every definition. All durations are whole milliseconds.
 */
export interface LakeSettings {
  /** R1: how far before the day its read window begins. */
  readonly lookbackMs: number;
  /** R1: how far after the day its read window ends. */
  readonly lookaheadMs: number;
  /** R6: how far an event's server_time may lie outside its partition's hour. */
  readonly partitionSlackMs: number;
  /** R11: how late an event may arrive after a later one; at most lookaheadMs. */
  readonly allowedLatenessMs: number;
  /** R11: how far a counter may run ahead of the next event to arrive. */
  readonly maxSequenceJump: number;
  /** R10: a SERVER_TIMEOUT closer than this to the last client event is stale. */
  readonly serverTimeoutMs: number;
  /** R10: whether a valid SERVER_TIMEOUT closes its epoch. */
  readonly timeoutCloses: boolean;
  /** R5: event types beside the core ones and LIVE_ENTER, LIVE_LEAVE; sorted, without repetition. */
  readonly eventTypes: readonly string[];
  /** `arrival`: the lake's clients do not count; the order of arrival is the sequence (R7). */
  readonly sequence: "column" | "arrival";
  /** Unit of time columns that are stored as integers. */
  readonly timeUnit: "s" | "ms" | "us" | "ns";
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export const DEFAULT_SETTINGS: LakeSettings = {
  lookbackMs: 24 * HOUR,
  lookaheadMs: HOUR,
  partitionSlackMs: 10 * MINUTE,
  allowedLatenessMs: 10 * MINUTE,
  maxSequenceJump: 10_000,
  serverTimeoutMs: 90_000,
  timeoutCloses: false,
  eventTypes: [],
  sequence: "column",
  timeUnit: "ms",
};

/** The event types that every lake may hold (R5), core ones first. */
export const CORE_EVENT_TYPES = [
  "SESSION_START",
  "HEARTBEAT",
  "APP_FOREGROUND",
  "APP_BACKGROUND",
  "USER_ACTIVE",
  "USER_IDLE",
  "SESSION_CLOSE",
  "SERVER_TIMEOUT",
  "LOGOUT",
] as const;

export const KNOWN_EVENT_TYPES = [...CORE_EVENT_TYPES, "LIVE_ENTER", "LIVE_LEAVE"] as const;

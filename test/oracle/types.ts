/** What goes into the reference counter and what comes out of it. Times are whole ms of Unix time (UTC). */
import type { Definition } from "../../src/definitions/definition.ts";
import type { DayWindow } from "../../src/plan/day-window.ts";
import type { LakeSettings } from "../../src/plan/settings.ts";

/** A stored value that cannot be read as its column's type (R4); the text is what the lake holds. */
export interface Unreadable {
  readonly unreadable: string;
}

export type Text = string | null;
export type RawNumber = number | null | Unreadable;
export type RawBoolean = boolean | null | Unreadable;

/** The contract's columns as a reader finds them, before any rule. Empty text counts as null. */
export interface RawValues {
  readonly event_id: Text;
  readonly user_id: Text;
  readonly session_id: Text;
  readonly event_type: Text;
  readonly server_time: RawNumber;
  readonly sequence: RawNumber;
  readonly session_epoch: RawNumber;
  readonly device_id: Text;
  readonly client_type: Text;
  readonly channel: Text;
  readonly app_version: Text;
  readonly region: Text;
  readonly client_time: RawNumber;
  readonly last_active_at: RawNumber;
  readonly foreground: RawBoolean;
  readonly active: RawBoolean;
  /** Columns that the contract does not know, as text. */
  readonly others: Readonly<Record<string, Text>>;
}

/** One row of the lake. */
export interface RawEvent {
  /** Start of the hour of the row's partition. */
  readonly hourMs: number;
  /** Path relative to the lake. */
  readonly file: string;
  /** 0-based row in its file. */
  readonly row: number;
  readonly values: RawValues;
}

export interface Lake {
  readonly events: readonly RawEvent[];
}

export interface OracleInput {
  readonly lake: Lake;
  readonly settings: LakeSettings;
  readonly definitions: readonly Definition[];
  readonly window: DayWindow;
  /** Starts of the UTC hours that have a partition. */
  readonly hoursWithData: readonly number[];
}

export const REASONS = [
  "MISSING_FIELD",
  "INVALID_VALUE",
  "UNKNOWN_EVENT_TYPE",
  "PARTITION_MISMATCH",
  "DUPLICATE_EVENT",
  "CONFLICTING_EVENT_ID",
  "DUPLICATE_SEQUENCE",
  "IDENTITY_CONFLICT",
  "STALE_EPOCH",
  "STALE_TIMEOUT",
  "EVENT_AFTER_CLOSE",
  "SEQUENCE_JUMP",
  "LATE_EVENT",
] as const;
export type Reason = (typeof REASONS)[number];

export type CloseReason = "SESSION_CLOSE" | "LOGOUT" | "SERVER_TIMEOUT" | "OPEN" | "TIMEOUT";

export interface QuarantinedEventRow {
  reason: Reason;
  detail: Text;
  event_id: Text;
  user_id: Text;
  session_id: Text;
  event_type: Text;
  server_time: number | null;
  sequence: number | null;
  session_epoch: number | null;
  device_id: Text;
  client_type: Text;
  channel: Text;
  app_version: Text;
  region: Text;
  client_time: number | null;
  last_active_at: number | null;
  foreground: boolean | null;
  active: boolean | null;
  source_file: string;
  source_row: number;
}

export interface UserDailyRow {
  user_id: string;
  online_ms: number;
  session_ms: number;
  sessions: number;
  devices: number;
  intervals: number;
  first_online_at: number;
  last_online_at: number;
}

export interface DeviceDailyRow {
  user_id: string;
  device_id: Text;
  client_type: Text;
  online_ms: number;
  session_ms: number;
  sessions: number;
}

export interface SessionDailyRow {
  session_id: string;
  user_id: string;
  device_id: Text;
  client_type: Text;
  channel: Text;
  app_version: Text;
  region: Text;
  online_ms: number;
  intervals: number;
  first_online_at: number;
  last_online_at: number;
  started_at: number;
  last_event_at: number;
  ended_at: number;
  close_reason: CloseReason;
}

export interface UserIntervalRow {
  user_id: string;
  start_at: number;
  end_at: number;
  duration_ms: number;
}

export interface SessionIntervalRow {
  session_id: string;
  user_id: string;
  device_id: Text;
  start_at: number;
  end_at: number;
  duration_ms: number;
}

export interface DailySummaryRow {
  dimension: string;
  value: Text;
  users: number;
  sessions: number;
  devices: number;
  online_ms: number;
  session_ms: number;
  p50_ms: number | null;
  p90_ms: number | null;
  p99_ms: number | null;
  peak_users: number;
  peak_at: number | null;
  complete: boolean;
}

export interface MinuteOnlineRow {
  minute_start: number;
  online_users: number | null;
  peak_users: number | null;
  complete: boolean;
}

export interface QuarantinedSessionRow {
  reason: "SESSION_TOO_LONG";
  session_id: string;
  user_id: string;
  device_id: Text;
  started_at: number;
  ended_at: number;
  online_ms: number;
}

/** How often a rule changed something: lets the fuzz statistics see that it is reached at all. */
export interface Evidence {
  /** R13: events whose time compensation moved. */
  shifted: number;
  /** R14: slots cut at the fence of their epoch. */
  fenceCuts: number;
  /** R16: interactions cut by a USER_IDLE. */
  idleCuts: number;
  /** R20: slots whose online time another device cut. */
  deviceCuts: number;
}

export interface DefinitionResult {
  definition: Definition;
  user_daily: UserDailyRow[];
  device_daily: DeviceDailyRow[];
  session_daily: SessionDailyRow[];
  user_intervals: UserIntervalRow[];
  session_intervals: SessionIntervalRow[];
  daily_summary: DailySummaryRow[];
  minute_online: MinuteOnlineRow[];
  quarantined_sessions: QuarantinedSessionRow[];
  /** R15: sessions of the read window whose foreground state no event ever sets. */
  sessionsOfUnknownState: number;
  evidence: Evidence;
}

export interface Counts {
  owned: number;
  accepted: number;
  /** Owned events only; reasons that do not occur are absent. */
  quarantined: Partial<Record<Reason, number>>;
  /** R11: owned events whose time of R11 is below their server_time. */
  reordered: number;
  /** R4: optional values of owned events that count as null because they cannot be read. */
  unreadOptionalValues: number;
}

export interface OracleResult {
  counts: Counts;
  quarantined_events: QuarantinedEventRow[];
  definitions: DefinitionResult[];
}

/** A published table: where its rows come from, and how they are written. */
export interface MartTable {
  readonly name: string;
  /** Whether it has one partition for each definition, or one for the day. */
  readonly per: "definition" | "day";
  /** Column name and how it is made; `_ms` times become UTC timestamps of milliseconds. */
  readonly columns: readonly (readonly [name: string, source: string, kind: "plain" | "time"])[];
  /** Unique key: the order of rows. */
  readonly key: readonly string[];
}

const plain = (...names: string[]): [string, string, "plain"][] => names.map((name) => [name, name, "plain"]);
const time = (name: string, source: string): [string, string, "time"] => [name, source, "time"];

/** The mart's tables with the columns of the contract, in their order. */
export const MART_TABLES: readonly MartTable[] = [
  {
    name: "user_daily",
    per: "definition",
    columns: [
      ...plain("user_id", "online_ms", "session_ms", "sessions", "devices", "intervals"),
      time("first_online_at", "first_online_ms"),
      time("last_online_at", "last_online_ms"),
    ],
    key: ["user_id"],
  },
  {
    name: "device_daily",
    per: "definition",
    columns: plain("user_id", "device_id", "client_type", "online_ms", "session_ms", "sessions"),
    key: ["user_id", "device_id nulls first"],
  },
  {
    name: "session_daily",
    per: "definition",
    columns: [
      ...plain("session_id", "user_id", "device_id", "client_type", "channel", "app_version", "region"),
      ...plain("online_ms", "intervals"),
      time("first_online_at", "first_online_ms"),
      time("last_online_at", "last_online_ms"),
      time("started_at", "started_ms"),
      time("last_event_at", "last_event_ms"),
      time("ended_at", "ended_ms"),
      ...plain("close_reason"),
    ],
    key: ["session_id"],
  },
  {
    name: "user_intervals",
    per: "definition",
    columns: [...plain("user_id"), time("start_at", "start_ms"), time("end_at", "end_ms"), ...plain("duration_ms")],
    key: ["user_id", "start_ms"],
  },
  {
    name: "session_intervals",
    per: "definition",
    columns: [
      ...plain("session_id", "user_id", "device_id"),
      time("start_at", "start_ms"),
      time("end_at", "end_ms"),
      ...plain("duration_ms"),
    ],
    key: ["session_id", "start_ms"],
  },
  {
    name: "daily_summary",
    per: "definition",
    columns: [
      ...plain("dimension", "value", "users", "sessions", "devices", "online_ms", "session_ms"),
      ...plain("p50_ms", "p90_ms", "p99_ms", "peak_users"),
      time("peak_at", "peak_ms"),
      ...plain("complete"),
    ],
    key: ["dimension", "value nulls first"],
  },
  {
    name: "minute_online",
    per: "definition",
    columns: [time("minute_start", "minute_ms"), ...plain("online_users", "peak_users", "complete")],
    key: ["minute_ms"],
  },
  {
    name: "quarantined_sessions",
    per: "definition",
    columns: [
      ...plain("reason", "session_id", "user_id", "device_id"),
      time("started_at", "started_ms"),
      time("ended_at", "ended_ms"),
      ...plain("online_ms"),
    ],
    key: ["session_id"],
  },
  {
    name: "quarantined_events",
    per: "day",
    columns: [
      ...plain("reason", "detail", "event_id", "user_id", "session_id", "event_type"),
      time("server_time", "server_ms"),
      ...plain("sequence", "session_epoch", "device_id", "client_type", "channel", "app_version", "region"),
      time("client_time", "client_ms"),
      time("last_active_at", "last_active_ms"),
      ...plain("foreground", "active", "source_file", "source_row"),
    ],
    key: ["source_file", "source_row"],
  },
  {
    name: "quarantined_files",
    per: "day",
    columns: plain("path", "bytes", "reason", "detail"),
    key: ["path"],
  },
];

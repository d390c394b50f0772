/** The published tables as other programs rely on them: columns in order with their Parquet types, and the key that orders rows. */

/** `text` is UTF-8, `time` a UTC timestamp of milliseconds; `?` marks columns that may be null. */
export type Kind = "text" | "int" | "time" | "flag";

export interface PublishedTable {
  readonly columns: readonly (readonly [name: string, kind: Kind, isOptional: boolean])[];
  readonly key: readonly string[];
  readonly per: "definition" | "day";
}

function table(per: PublishedTable["per"], key: string, columns: string): PublishedTable {
  return {
    per,
    key: key.split(" "),
    columns: columns
      .trim()
      .split(/\s+/)
      .map((column) => {
        const [, name, kind, mark] = /^(\w+):(\w+)(\??)$/.exec(column)!;
        return [name!, kind as Kind, mark === "?"] as const;
      }),
  };
}

export const TABLES: Readonly<Record<string, PublishedTable>> = {
  user_daily: table(
    "definition",
    "user_id",
    `user_id:text online_ms:int session_ms:int sessions:int devices:int intervals:int first_online_at:time
    last_online_at:time`,
  ),
  device_daily: table(
    "definition",
    "user_id device_id",
    "user_id:text device_id:text? client_type:text? online_ms:int session_ms:int sessions:int",
  ),
  session_daily: table(
    "definition",
    "session_id",
    `session_id:text user_id:text device_id:text? client_type:text? channel:text? app_version:text? region:text?
    online_ms:int intervals:int first_online_at:time last_online_at:time started_at:time last_event_at:time ended_at:time
    close_reason:text`,
  ),
  user_intervals: table("definition", "user_id start_at", "user_id:text start_at:time end_at:time duration_ms:int"),
  session_intervals: table(
    "definition",
    "session_id start_at",
    "session_id:text user_id:text device_id:text? start_at:time end_at:time duration_ms:int",
  ),
  daily_summary: table(
    "definition",
    "dimension value",
    `dimension:text value:text? users:int sessions:int devices:int online_ms:int session_ms:int p50_ms:int? p90_ms:int?
    p99_ms:int? peak_users:int peak_at:time? complete:flag`,
  ),
  minute_online: table(
    "definition",
    "minute_start",
    "minute_start:time online_users:int? peak_users:int? complete:flag",
  ),
  quarantined_sessions: table(
    "definition",
    "session_id",
    "reason:text session_id:text user_id:text device_id:text? started_at:time ended_at:time online_ms:int",
  ),
  quarantined_events: table(
    "day",
    "source_file source_row",
    `reason:text detail:text? event_id:text? user_id:text? session_id:text? event_type:text? server_time:time?
    sequence:int? session_epoch:int? device_id:text? client_type:text? channel:text? app_version:text? region:text?
    client_time:time? last_active_at:time? foreground:flag? active:flag? source_file:text source_row:int`,
  ),
  quarantined_files: table("day", "path", "path:text bytes:int reason:text detail:text"),
};

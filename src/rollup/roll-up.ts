import { sqlPath, sqlText } from "../engine/duckdb/reading/sql-text.ts";
import type { DuckDbSession } from "../engine/duckdb/session.ts";
import { loadSql } from "../pipeline/sql-files.ts";

/** A day's files of one definition, on this machine. */
export interface DayFiles {
  readonly day: string;
  readonly userDaily: string;
  readonly sessionDaily: string;
}

/** A definition's period in figures. */
export interface PeriodSummary {
  readonly users: number;
  readonly onlineMs: number;
  readonly sessionMs: number;
  /** Distinct ones: a session that lies in several days is one. */
  readonly sessions: number;
  /** Sum over users of the days on which they were online. */
  readonly activeDays: number;
  /** Nearest rank, of users' online time in the period; null where there are none. */
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  readonly p99Ms: number | null;
}

/** Makes `user_period`, one row per user, of the days' files; replaces what is there. At least one day is needed. */
export async function rollUp(session: DuckDbSession, days: readonly DayFiles[]): Promise<PeriodSummary> {
  const source = (file: string) => `read_parquet([${sqlPath(file)}], hive_partitioning = false)`;
  const rows = days.map(
    ({ day, userDaily }) => `select ${sqlText(day)} as day, user_id, online_ms, session_ms,
      epoch_ms(first_online_at) as first_online_ms, epoch_ms(last_online_at) as last_online_ms from ${source(userDaily)}`,
  );
  const sessions = days.map(({ sessionDaily }) => `select user_id, session_id from ${source(sessionDaily)}`);
  await session.run(`create or replace view period_days as ${rows.join(" union all ")}`);
  await session.run(`create or replace view period_sessions as ${sessions.join(" union all ")}`);
  await session.run(`create or replace table user_period as ${loadSql("96_rollup/user_period")}`);
  const [row] = await session.rows(loadSql("96_rollup/period_summary"));
  const of = (name: string) => Number(row![name]);
  const rank = (name: string) => (row![name] === null ? null : of(name));
  return {
    users: of("users"),
    onlineMs: of("online_ms"),
    sessionMs: of("session_ms"),
    sessions: of("sessions"),
    activeDays: of("active_days"),
    p50Ms: rank("p50_ms"),
    p90Ms: rank("p90_ms"),
    p99Ms: rank("p99_ms"),
  };
}

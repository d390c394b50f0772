import { sqlPath } from "../engine/duckdb/reading/sql-text.ts";
import type { DuckDbSession } from "../engine/duckdb/session.ts";
import type { Scope } from "./drift-result.ts";
import type { RealtimeShape } from "./realtime-columns.ts";

/** The table of the mart that a realtime file is compared with. */
export const OFFLINE_TABLE: Readonly<Record<Scope, string>> = {
  users: "user_daily",
  dimensions: "daily_summary",
  minutes: "minute_online",
  instant: "user_intervals",
};

/** Makes `known_minutes(subject)`: the minutes, as ms, of which the mart knows how many users were online. */
export async function knownMinutes(session: DuckDbSession, file: string): Promise<void> {
  await session.run(`create table known_minutes as
    select cast(epoch_ms(minute_start) as varchar) as subject from ${rows(file)} where online_users is not null`);
}

/**
 * Makes `base_figures(subject, value, amount)` of the mart's file. Of an instant: who was online then; users who came or went
 * within the tolerance are whatever `head_figures` says.
 */
export async function loadOffline(
  session: DuckDbSession,
  file: string,
  { scope, minuteColumn }: Pick<RealtimeShape, "scope" | "minuteColumn">,
  instant: { readonly atMs: number; readonly toleranceMs: number } | null,
): Promise<void> {
  await session.run(`create table base_figures as ${select(file, scope, minuteColumn, instant)}`);
}

function select(
  file: string,
  scope: Scope,
  minuteColumn: string,
  instant: { readonly atMs: number; readonly toleranceMs: number } | null,
): string {
  switch (scope) {
    case "users":
      return `select user_id as subject, cast(null as varchar) as value, online_ms as amount from ${rows(file)}`;
    case "dimensions":
      return `select dimension as subject, value, online_ms as amount from ${rows(file)}
        where dimension in (select subject from head_figures)`;
    case "minutes":
      return `select cast(epoch_ms(minute_start) as varchar) as subject, cast(null as varchar) as value,
        ${minuteColumn} as amount from ${rows(file)} where online_users is not null`;
    case "instant":
      return instantSelect(file, instant!);
  }
}

function instantSelect(file: string, { atMs, toleranceMs }: { atMs: number; toleranceMs: number }): string {
  const [from, to] = [atMs - toleranceMs, atMs + toleranceMs];
  return `select u.user_id as subject, cast(null as varchar) as value, cast(1 as bigint) as amount
    from (
      select user_id, bool_or(epoch_ms(start_at) <= ${from} and epoch_ms(end_at) > ${to}) as throughout
      from ${rows(file)}
      where epoch_ms(start_at) <= ${to} and epoch_ms(end_at) > ${from}
      group by user_id
    ) u
    left join head_figures h on h.subject = u.user_id
    where u.throughout or h.subject is not null`;
}

const rows = (file: string): string => `read_parquet([${sqlPath(file)}], hive_partitioning = false)`;

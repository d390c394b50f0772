import { shareOf } from "../drift/compare.ts";
import { readDistribution } from "../drift/distribution.ts";
import { sqlPaths } from "../engine/duckdb/reading/sql-text.ts";
import type { DuckDbSession, Row } from "../engine/duckdb/session.ts";
import { loadSql } from "../pipeline/sql-files.ts";
import type { Change, DiffResult, DimensionChange, Mover } from "./diff-result.ts";

/** Local files of a side, of all days. */
export interface SideFiles {
  readonly userDaily: readonly string[];
  readonly dailySummary: readonly string[];
}

export type ComparedSides = Pick<DiffResult, "totals" | "users" | "distribution" | "dimensions" | "movers">;

/** Compares what two sides have of the same days. */
export async function compareSides(
  session: DuckDbSession,
  base: SideFiles,
  head: SideFiles,
  { toleranceMs, movers }: { readonly toleranceMs: number; readonly movers: number },
): Promise<ComparedSides> {
  const byUser = ({ userDaily }: SideFiles) => `select user_id as subject, cast(null as varchar) as value,
    cast(sum(online_ms) as bigint) as amount from ${rowsOf(userDaily)} group by user_id`;
  await differences(session, byUser(base), byUser(head));
  const compared = {
    totals: await readTotals(session, base, head),
    users: await readUsers(session, toleranceMs),
    distribution: await readDistribution(session, toleranceMs),
    movers: await readMovers(session, toleranceMs, movers),
  };
  const byValue = ({ dailySummary }: SideFiles) => `select dimension as subject, value,
    cast(sum(online_ms) as bigint) as amount from ${rowsOf(dailySummary)} where dimension <> 'total' group by all`;
  await differences(session, byValue(base), byValue(head));
  return { ...compared, dimensions: await readDimensions(session) };
}

async function differences(session: DuckDbSession, base: string, head: string): Promise<void> {
  await session.run(`create or replace table base_figures as ${base}`);
  await session.run(`create or replace table head_figures as ${head}`);
  await session.run(`create or replace table figure_differences as ${loadSql("95_drift/figure_differences")}`);
}

const rowsOf = (files: readonly string[]): string => `read_parquet(${sqlPaths(files)}, hive_partitioning = false)`;

async function readTotals(session: DuckDbSession, base: SideFiles, head: SideFiles): Promise<DiffResult["totals"]> {
  const sums = async ({ userDaily }: SideFiles) => {
    const [row = {}] = await session.rows(`select cast(coalesce(sum(online_ms), 0) as bigint) as online_ms,
        cast(coalesce(sum(session_ms), 0) as bigint) as session_ms,
        cast(coalesce(sum(sessions), 0) as bigint) as sessions, count(*) as user_days, count(distinct user_id) as users
      from ${rowsOf(userDaily)}`);
    return row;
  };
  const [before, after] = [await sums(base), await sums(head)];
  const of = (name: string) => changeOf(Number(before[name]), Number(after[name]));
  return {
    onlineMs: of("online_ms"),
    sessionMs: of("session_ms"),
    sessions: of("sessions"),
    users: of("users"),
    userDays: of("user_days"),
  };
}

const changeOf = (base: number, head: number): Change => ({
  base,
  head,
  change: head - base,
  share: shareOf(head - base, base),
});

async function readUsers(session: DuckDbSession, toleranceMs: number): Promise<DiffResult["users"]> {
  const [row = {}] = await session.rows(`
    select count(*) as compared, count(*) filter (abs(difference) <= ${toleranceMs}) as unchanged,
      count(*) filter (difference > ${toleranceMs}) as grown, count(*) filter (difference < -${toleranceMs}) as shrunk,
      count(*) filter (difference > ${toleranceMs} and base is null) as appeared,
      count(*) filter (difference < -${toleranceMs} and head is null) as vanished
    from figure_differences`);
  const of = (name: string) => Number(row[name]);
  return {
    compared: of("compared"),
    unchanged: of("unchanged"),
    grown: of("grown"),
    shrunk: of("shrunk"),
    appeared: of("appeared"),
    vanished: of("vanished"),
  };
}

async function readMovers(session: DuckDbSession, toleranceMs: number, most: number): Promise<Mover[]> {
  const rows = await session.rows(`select * from figure_differences where abs(difference) > ${toleranceMs}
    order by abs(difference) desc, subject limit ${most}`);
  const amount = (value: unknown) => (value === null ? null : Number(value));
  return rows.map(({ subject, base, head, difference }: Row) => ({
    userId: String(subject),
    baseMs: amount(base),
    headMs: amount(head),
    changeMs: Number(difference),
    share: shareOf(Number(difference), Number(base ?? 0)),
  }));
}

async function readDimensions(session: DuckDbSession): Promise<DimensionChange[]> {
  const rows = await session.rows(
    "select * from figure_differences order by subject, abs(difference) desc, value nulls first",
  );
  return rows.map(({ subject, value, base, head }: Row) => ({
    dimension: String(subject),
    value: value as string | null,
    ...changeOf(Number(base ?? 0), Number(head ?? 0)),
  }));
}

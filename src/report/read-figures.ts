import { sqlPath, sqlText } from "../engine/duckdb/reading/sql-text.ts";
import type { DuckDbSession, Row } from "../engine/duckdb/session.ts";
import type { CurvePoint, DayFigures, DistributionStep, QuarantineOverTime, ValueReport } from "./report-data.ts";

/** A file of the mart on this machine, and the day that it is of. */
export interface DayFile {
  readonly day: string;
  readonly file: string;
}

const rowsOf = (files: readonly DayFile[], columns: string): string =>
  files
    .map(
      ({ day, file }) =>
        `select ${sqlText(day)} as day, ${columns} from read_parquet([${sqlPath(file)}], hive_partitioning = false)`,
    )
    .join(" union all ");

/** The totals of days, from files of `daily_summary`. */
export async function readDays(session: DuckDbSession, files: readonly DayFile[]): Promise<DayFigures[]> {
  if (files.length === 0) return [];
  const rows = await session.rows(`
    select *, epoch_ms(peak_at) as peak_ms from (${rowsOf(files, "*")}) where dimension = 'total' order by day`);
  return rows.map((row) => ({
    day: String(row.day),
    users: Number(row.users),
    sessions: Number(row.sessions),
    devices: Number(row.devices),
    onlineMs: Number(row.online_ms),
    p50Ms: orNull(row.p50_ms),
    p90Ms: orNull(row.p90_ms),
    p99Ms: orNull(row.p99_ms),
    peakUsers: Number(row.peak_users),
    peakAtMs: orNull(row.peak_ms),
    complete: row.complete === true,
  }));
}

/** The values of all dimensions, from files of `daily_summary`; users of several days are added up. */
export async function readValues(session: DuckDbSession, files: readonly DayFile[]): Promise<ValueReport[]> {
  if (files.length === 0) return [];
  const rows = await session.rows(`
    select dimension, value, cast(sum(users) as bigint) as users, cast(sum(online_ms) as bigint) as online_ms
    from (${rowsOf(files, "*")}) where dimension <> 'total'
    group by dimension, value
    order by list_position(['client_type', 'channel', 'app_version', 'region'], dimension), online_ms desc, value nulls last`);
  return rows.map((row) => ({
    dimension: String(row.dimension),
    value: row.value === null ? null : String(row.value),
    users: Number(row.users),
    onlineMs: Number(row.online_ms),
  }));
}

/**
 * The curve of users online, from files of `minute_online`: of one day at each minute, of several the most within each step of as
 * many minutes, so that it has no more points than a day has minutes.
 */
export async function readCurve(session: DuckDbSession, files: readonly DayFile[]): Promise<CurvePoint[]> {
  if (files.length === 0) return [];
  const stepMs = files.length * 60_000;
  const users = files.length === 1 ? "online_users" : "peak_users";
  const rows = await session.rows(`
    select min(epoch_ms(minute_start)) as at_ms, max(${users}) as users
    from (${rowsOf(files, "*")})
    group by epoch_ms(minute_start) // ${stepMs} order by 1`);
  return rows.map((row) => ({ atMs: Number(row.at_ms), users: orNull(row.users) }));
}

const MINUTE = 60_000;
/** Beginnings of the steps in which people think of their time. */
const STEPS = [0, 1, 5, 15, 30, 60, 120, 240, 480].map((minutes) => minutes * MINUTE);

/** From files of `user_daily`. */
export async function readDistribution(session: DuckDbSession, files: readonly DayFile[]): Promise<DistributionStep[]> {
  const counts = STEPS.map((from, i) => {
    const to = STEPS[i + 1];
    return `count(*) filter (online_ms >= ${from}${to === undefined ? "" : ` and online_ms < ${to}`}) as step_${i}`;
  });
  const [row] =
    files.length === 0 ? [] : await session.rows(`select ${counts.join(", ")} from (${rowsOf(files, "online_ms")})`);
  return STEPS.map((fromMs, i) => ({ fromMs, toMs: STEPS[i + 1] ?? null, users: Number(row?.[`step_${i}`] ?? 0) }));
}

/** From files of `quarantined_events`. `starts`: of the steps, in order; `endMs`: of the last one. */
export async function readQuarantine(
  session: DuckDbSession,
  files: readonly DayFile[],
  starts: readonly number[],
  endMs: number,
): Promise<Pick<QuarantineOverTime, "reasons" | "steps" | "unplaced">> {
  const rows = files.length === 0 ? [] : await session.rows(quarantineSelect(files, starts, endMs));
  const totals = new Map<string, number>();
  for (const { reason, events } of rows) totals.set(String(reason), (totals.get(String(reason)) ?? 0) + Number(events));
  const reasons = [...totals]
    .map(([reason, events]) => ({ reason, events }))
    .sort((a, b) => b.events - a.events || (a.reason < b.reason ? -1 : 1));
  const at = (startMs: number | null): number[] =>
    reasons.map(({ reason }) =>
      Number(rows.find((row: Row) => row.reason === reason && orNull(row.start_ms) === startMs)?.events ?? 0),
    );
  return { reasons, steps: starts.map((atMs) => ({ atMs, events: at(atMs) })), unplaced: at(null) };
}

const quarantineSelect = (files: readonly DayFile[], starts: readonly number[], endMs: number): string => `
  with steps as (select unnest([${starts.join(", ")}]) as start_ms),
  events as (select reason, epoch_ms(server_time) as server_ms from (${rowsOf(files, "reason, server_time")}))
  select e.reason, case when e.server_ms < ${endMs} then s.start_ms end as start_ms, count(*) as events
  from events e
  asof left join steps s on e.server_ms >= s.start_ms
  group by all`;

const orNull = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));

import type { Definition } from "../definitions/definition.ts";
import { DayEngine } from "../engine/duckdb/day-engine.ts";
import { sqlPath } from "../engine/duckdb/reading/sql-text.ts";
import type { DuckDbSession, Row } from "../engine/duckdb/session.ts";
import type { LakeFiles } from "../engine/engine.ts";
import { columnStates, eventTypes, inputTables } from "../pipeline/inputs.ts";
import { runStages } from "../pipeline/run-day.ts";
import { loadSql } from "../pipeline/sql-files.ts";
import { type Stage, stages } from "../pipeline/stages.ts";
import type { DayWindow } from "../plan/day-window.ts";
import type { LakeSettings } from "../plan/settings.ts";
import type { OnlineAnswer, OnlineUser } from "./answer.ts";

/** What the day is counted by. */
export interface CountedBy {
  readonly settings: LakeSettings;
  readonly window: DayWindow;
  readonly definition: Definition;
}

/** The last relation of the day that tells who was online when. */
const LAST_RELATION = "user_spans";

/** Runs a rebuild's stages, the very same SQL, as far as to the times of users. */
export async function countTimes(session: DuckDbSession, lake: LakeFiles, by: CountedBy): Promise<void> {
  const definitions = [by.definition];
  const engine = new DayEngine(session, {
    lake,
    tables: inputTables(by.settings, by.window, definitions),
    eventTypes: eventTypes(by.settings),
    columnStates: columnStates(definitions),
  });
  await engine.prepare();
  await runStages(engine, upTo(LAST_RELATION, stages(by.settings, definitions)));
}

function upTo(relation: string, all: readonly Stage[]): Stage[] {
  const isLast = ({ steps }: Stage) => steps.some((step) => step.kind === "sql" && step.relation === relation);
  const last = all.findIndex(isLast);
  const { name, steps } = all[last]!;
  const end = steps.findIndex((step) => step.kind === "sql" && step.relation === relation);
  return [...all.slice(0, last), { name, steps: steps.slice(0, end + 1) }];
}

/** Makes `online_at`: one row per user who is online at the instant, of times that `countTimes` has counted. */
export async function askInstant(session: DuckDbSession, atMs: number): Promise<void> {
  await session.run(`create table instants as select cast(${atMs} as bigint) as at_ms`);
  await session.run(`create table online_at as
    with sessions as (${loadSql("94_online_at/online_sessions")})
    select
      min(a.user_id) as user_id, max(s.last_seen_ms) as last_seen_ms, min(u.start_ms) as since_ms,
      count(distinct a.device_key) as devices, count(*) as sessions, bit_or(s.mask) as mask,
      list_sort(list(distinct a.client_type) filter (a.client_type is not null)) as client_types
    from sessions s
    join session_attributes a on a.session_no = s.session_no
    join user_spans u on u.user_no = s.user_no and u.start_ms <= s.at_ms and u.end_ms > s.at_ms
    group by s.user_no`);
}

/** How many were online. */
export type OnlineTotals = Pick<OnlineAnswer, "users" | "sessions" | "devices">;

/** Of `online_at`. */
export async function readTotals(session: DuckDbSession): Promise<OnlineTotals> {
  const [row] = await session.rows(
    "select count(*) as users, coalesce(sum(sessions), 0) as sessions, coalesce(sum(devices), 0) as devices from online_at",
  );
  return { users: Number(row!.users), sessions: Number(row!.sessions), devices: Number(row!.devices) };
}

/** The users seen last, newest first. */
export async function readOnlineUsers(
  session: DuckDbSession,
  { states }: Definition,
  limit: number,
): Promise<OnlineUser[]> {
  const rows = await session.rows(`select * from online_at order by last_seen_ms desc, user_id limit ${limit}`);
  const names = new Map([
    [1, "foreground"],
    [2, "active"],
    ...[...states.keys()].map((name, i) => [4 * 2 ** i, name] as const),
  ]);
  return rows.map((row) => onlineUser(row, names));
}

function onlineUser(row: Row, names: ReadonlyMap<number, string>): OnlineUser {
  const mask = Number(row.mask);
  return {
    userId: String(row.user_id),
    lastSeenMs: Number(row.last_seen_ms),
    sinceMs: Number(row.since_ms),
    devices: Number(row.devices),
    sessions: Number(row.sessions),
    clientTypes: ((row.client_types as string[] | null) ?? []).map(String),
    states: [...names].filter(([bit]) => Math.floor(mask / bit) % 2 === 1).map(([, name]) => name),
  };
}

/** The mart's users at the instant, from a file of its `user_intervals`, beside those of `online_at`. */
export async function compareWithMart(
  session: DuckDbSession,
  file: string,
  atMs: number,
): Promise<{ users: number; equal: boolean }> {
  const [row] = await session.rows(`
    select count(m.user_id) as users, count(*) filter (m.user_id is null or o.user_id is null) as others
    from (
      select user_id from read_parquet([${sqlPath(file)}], hive_partitioning = false)
      where epoch_ms(start_at) <= ${atMs} and epoch_ms(end_at) > ${atMs}
    ) m
    full join online_at o on o.user_id = m.user_id`);
  return { users: Number(row!.users), equal: Number(row!.others) === 0 };
}

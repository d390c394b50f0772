import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sqlText } from "../engine/duckdb/reading/sql-text.ts";
import type { DuckDbSession } from "../engine/duckdb/session.ts";
import { declareTimesUtc } from "../engine/duckdb/utc-times.ts";
import { COPIES_SQL, DELIVERY_SQL, TIMEOUTS_SQL } from "./delivery-sql.ts";
import { drawMacros } from "./draws.ts";
import { DRAFTS_SQL, PARTS_SQL } from "./events-sql.ts";
import { LAKE_TIMES, lakeRowsSql } from "./lake-sql.ts";
import { GADGETS_SQL, peopleSql, rhythmsSql, sessionsSql } from "./people-sql.ts";
import type { SampleDay, SamplePlan, UserChunk } from "./sample-plan.ts";
import { TRUTH_SPANS_SQL, truthSql } from "./truth-sql.ts";

const HOUR = 3_600_000;

export interface SampleCounts {
  users: number;
  sessions: number;
  events: number;
  files: number;
}

export interface SampleWriting {
  readonly session: DuckDbSession;
  readonly out: string;
  readonly seed: number;
  readonly truth: boolean;
  readonly signal: AbortSignal;
  /** After each day of each chunk of users. */
  step(done: number, of: number, events: number): void;
}

/** Writes the lake, chunk by chunk of users and day by day, so that memory holds one day of one chunk. */
export async function writeSample(plan: SamplePlan, writing: SampleWriting): Promise<SampleCounts> {
  const { session, signal } = writing;
  for (const sql of [...drawMacros(writing.seed), rhythmsSql()]) await session.run(sql);
  const counts: SampleCounts = { users: 0, sessions: 0, events: 0, files: 0 };
  let done = 0;
  for (const chunk of plan.chunks) {
    await startChunk(chunk, session);
    counts.users += chunk.lastUser - chunk.firstUser + 1;
    for (const [index, day] of plan.days.entries()) {
      signal.throwIfAborted();
      counts.sessions += await generateDay(day, plan, writing);
      await writeHours(chunk, plan.days[index + 1]?.startMs ?? plan.endMs, writing, counts);
      done++;
      writing.step(done, plan.chunks.length * plan.days.length, counts.events);
    }
  }
  for (const hourMs of plan.hours) {
    const folder = await hourFolder(writing.out, hourMs);
    await writeFile(join(folder, "_SUCCESS"), "");
  }
  if (writing.truth) await writeTruth(plan, writing);
  return counts;
}

async function startChunk(chunk: UserChunk, session: DuckDbSession): Promise<void> {
  await session.run(peopleSql(chunk));
  await session.run(GADGETS_SQL);
  for (const table of ["sessions", "events", "truth_spans"]) await session.run(`drop table if exists ${table}`);
}

/** Generates what starts on the day; gives the number of sessions. */
async function generateDay(day: SampleDay, plan: SamplePlan, { session, truth }: SampleWriting): Promise<number> {
  const add = (table: string, sql: string) => addTo(session, table, sql);
  await session.run(`create or replace table sessions_of_day as ${sessionsSql(day, plan)}`);
  await add("sessions", "from sessions_of_day");
  await session.run(PARTS_SQL);
  await session.run(DRAFTS_SQL);
  await session.run(`create or replace table fresh_events as ${DELIVERY_SQL}`);
  await session.run("drop table drafts");
  await add("events", "from fresh_events");
  await add("events", COPIES_SQL);
  await session.run("drop table fresh_events");
  await add("events", TIMEOUTS_SQL);
  if (truth) await addTruth(day, session);
  const [row] = await session.rows("select count(*) as sessions from sessions_of_day");
  return Number(row?.sessions);
}

async function addTruth(day: SampleDay, session: DuckDbSession): Promise<void> {
  await addTo(session, "truth_spans", TRUTH_SPANS_SQL);
  if (day.asked) await addTo(session, "truth", truthSql(day));
  await session.run(`delete from truth_spans where to_ms <= ${day.endMs}`);
}

async function addTo(session: DuckDbSession, table: string, sql: string): Promise<void> {
  await session.run(`create table if not exists ${table} as from (${sql}) limit 0`);
  await session.run(`insert into ${table} ${sql}`);
}

/** Writes the hours that no later day adds to, and forgets their events. */
async function writeHours(chunk: UserChunk, untilMs: number, writing: SampleWriting, counts: SampleCounts) {
  const { session, signal } = writing;
  const before = Math.floor(untilMs / HOUR) * HOUR;
  const hours = await session.rows(
    `select distinct cast(arrival_ms // ${HOUR} as integer) as hour from events where arrival_ms < ${before} order by hour`,
  );
  for (const { hour } of hours) {
    signal.throwIfAborted();
    const hourMs = Number(hour) * HOUR;
    const name = `part-${String(chunk.index).padStart(5, "0")}.parquet`;
    const path = join(await hourFolder(writing.out, hourMs), name);
    const [copied] = await session.rows(
      `copy (${lakeRowsSql(hourMs)}) to ${sqlText(path)} (format parquet, compression zstd)`,
    );
    await declareTimesUtc(path, LAKE_TIMES);
    counts.events += Number(copied?.Count);
    counts.files++;
  }
  await session.run(`create or replace table events as from events where arrival_ms >= ${before}`);
  await session.run(`delete from sessions where start_ms + length_ms < ${before - 6 * HOUR}`);
}

async function hourFolder(out: string, hourMs: number): Promise<string> {
  const [date, clock] = new Date(hourMs).toISOString().split("T") as [string, string];
  const folder = join(out, `event_date=${date}`, `event_hour=${clock.slice(0, 2)}`);
  await mkdir(folder, { recursive: true });
  return folder;
}

async function writeTruth(plan: SamplePlan, { session, out }: SampleWriting): Promise<void> {
  for (const { day } of plan.days.filter(({ asked }) => asked)) {
    // Hidden from every reader of the lake by its first character.
    const folder = join(out, "_truth", `date=${day}`);
    await mkdir(folder, { recursive: true });
    await session.run(
      `copy (select user_id, connected_ms, foreground_ms, active_ms, live_ms from truth where day = '${day}' order by user_no)
       to ${sqlText(join(folder, "part-00000.parquet"))} (format parquet, compression zstd)`,
    );
  }
}

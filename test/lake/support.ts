import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll } from "vitest";
import { READING_STATEMENTS } from "../../src/engine/duckdb/reading/connection-settings.ts";
import { RAW_EVENT_COLUMNS, rawEventsSelect } from "../../src/engine/duckdb/reading/raw-events.ts";
import { listLake } from "../../src/lake/listing.ts";
import { type ProbeSettings, probeFiles } from "../../src/lake/probe.ts";
import type { RunSql } from "../../src/lake/probed-file.ts";

export const DAY = "2026-07-29";
export const DAY_MS = Date.parse(`${DAY}T00:00:00Z`);
export const HOUR_MS = 3_600_000;
/** 10:00 of the day. */
export const TEN = DAY_MS + 10 * HOUR_MS;
export const WHOLE_DAY = { fromMs: DAY_MS, toMs: DAY_MS + 24 * HOUR_MS };
export const SETTINGS: ProbeSettings = { sequence: "column", timeUnit: "ms" };

/** A private folder, removed after the test file. */
export function tempFolder(name = "lake-"): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A DuckDB of its own, as the engine opens it: UTC and a private temp folder. */
export async function openDuckdb(): Promise<RunSql> {
  const instance = await DuckDBInstance.create(":memory:", { temp_directory: tempFolder("duckdb-"), threads: "2" });
  const connection = await instance.connect();
  for (const statement of READING_STATEMENTS) {
    await connection.run(statement);
  }
  afterAll(() => {
    connection.closeSync();
    instance.closeSync();
  });
  return async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJS();
}

/** Columns of a good event, as SQL; a test replaces, adds or (null) leaves out what it is about. */
const EVENT: Readonly<Record<string, string>> = {
  event_id: "'e-' || i",
  user_id: "'u1'",
  session_id: "'s1'",
  event_type: "'HEARTBEAT'",
  server_time: `make_timestamptz(${TEN}000 + i * 30000000)`,
  sequence: "i",
};

/** Writes events to `path` below `lake`. */
export async function writeEvents(
  runSql: RunSql,
  lake: string,
  path: string,
  columns: Readonly<Record<string, string | null>> = {},
  rows = 1,
): Promise<string> {
  const file = join(lake, path);
  mkdirSync(dirname(file), { recursive: true });
  const all = Object.entries({ ...EVENT, ...columns }).filter(([, sql]) => sql !== null);
  const select = all.map(([name, sql]) => `${sql} AS "${name}"`).join(", ");
  await runSql(`COPY (SELECT ${select} FROM range(${rows}) t(i)) TO '${file.replaceAll("'", "''")}' (FORMAT parquet)`);
  return file;
}

/** Lists, probes and reads a lake's day. Integers of the events are numbers. */
export async function readLake(runSql: RunSql, lake: string, settings = SETTINGS) {
  const listing = await listLake(lake, WHOLE_DAY);
  const probe = await probeFiles(listing.files, settings, runSql);
  const rows = await runSql(`SELECT * FROM (${rawEventsSelect(probe.good, settings)}) ORDER BY event_no`);
  const events = rows.map((row) => Object.fromEntries(RAW_EVENT_COLUMNS.map((name) => [name, plain(row[name])])));
  return { listing, probe, events };
}

function plain(value: unknown): unknown {
  return typeof value === "bigint" && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** A path of the day's hour 10. */
export function atTen(file: string): string {
  return `event_date=${DAY}/event_hour=10/${file}`;
}

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sqlName, sqlText } from "../../src/engine/duckdb/reading/sql-text.ts";
import type { DuckDbSession } from "../../src/engine/duckdb/session.ts";
import type { LakeFiles } from "../../src/engine/engine.ts";
import type { RawEvent, RawValues } from "../oracle/index.ts";

const TEXTS = ["event_id", "user_id", "session_id", "event_type"] as const;
const NUMBERS = ["server_time", "sequence", "session_epoch"] as const;
const OPTIONAL_TEXTS = ["device_id", "client_type", "channel", "app_version", "region"] as const;
const TIMES = ["client_time", "last_active_at"] as const;
const FLAGS = ["foreground", "active"] as const;

/** Name, type and value of each column of `raw_events`. */
const COLUMNS: readonly (readonly [name: string, type: string, value: (v: RawValues) => unknown])[] = [
  ...TEXTS.map((name) => [name, "varchar", (v: RawValues) => v[name] || null] as const),
  ...NUMBERS.map((name) => [name.replace("_time", "_ms"), "bigint", (v: RawValues) => known(v[name])] as const),
  ...OPTIONAL_TEXTS.map((name) => [name, "varchar", (v: RawValues) => v[name] || null] as const),
  ...TIMES.map((name) => [name.replace(/_time|_at/, "_ms"), "bigint", (v: RawValues) => known(v[name])] as const),
  ...FLAGS.map((name) => [name, "boolean", (v: RawValues) => known(v[name])] as const),
  ...[...NUMBERS, ...TIMES, ...FLAGS].map(
    (name) => [`unread_${name}`, "boolean", (v: RawValues) => isUnread(v[name])] as const,
  ),
];

const isUnread = (value: unknown): boolean => typeof value === "object" && value !== null;
const known = (value: unknown): unknown => (isUnread(value) ? null : value);
const inByteOrder = (texts: Iterable<string>): string[] =>
  [...new Set(texts)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

/** The lake of a scenario without Parquet files: what a reading of it must come to. */
export async function memoryReading(
  session: DuckDbSession,
  events: readonly RawEvent[],
  folder: string,
): Promise<LakeFiles> {
  const files = inByteOrder(events.map((event) => event.file));
  const fileNo = new Map(files.map((file, index) => [file, BigInt(index) * 4294967296n]));
  const eventNo = (event: RawEvent) => fileNo.get(event.file)! + BigInt(event.row);
  await load(
    session,
    folder,
    "memory_events",
    [["event_no", "bigint"], ["hour_ms", "bigint"], ...COLUMNS.map(([name, type]) => [name, type] as const)],
    events.map((event) => [eventNo(event), event.hourMs, ...COLUMNS.map(([, , value]) => value(event.values))]),
  );
  const others = inByteOrder(events.flatMap((event) => Object.keys(event.values.others)));
  const texts = [...Object.keys(events[0]?.values ?? {}).filter((name) => name !== "others"), ...others];
  await load(
    session,
    folder,
    "memory_texts",
    [["event_no", "bigint"], ...texts.map((name) => [name, "varchar"] as const)],
    events.map((event) => {
      const values: Record<string, unknown> = { ...event.values, ...event.values.others };
      return [eventNo(event), ...texts.map((name) => known(values[name]) ?? null)];
    }),
  );
  const textColumns = (names: readonly string[]): string => {
    const columns = names.map((name) => (texts.includes(name) ? sqlName(name) : `null::varchar as ${sqlName(name)}`));
    return `select ${["event_no", ...columns].join(", ")} from memory_texts`;
  };
  const reading = {
    rawEvents: "select * from memory_events",
    rawEventsIn: (relation: string) =>
      `select * from memory_events where event_no in (select event_no from ${relation})`,
    textColumns,
    otherColumns: others.length === 0 ? null : { select: textColumns(others), names: others },
  };
  return { sourceFiles: files.map((path, index) => ({ fileNo: index, path })), read: (work) => work(reading) };
}

/** Makes a table of rows. A file is read many times faster than a long VALUES list is parsed. */
async function load(
  session: DuckDbSession,
  folder: string,
  table: string,
  columns: readonly (readonly [name: string, type: string])[],
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  const path = join(folder, `${table}.csv`);
  const field = (value: unknown): string =>
    value === null || value === undefined || value === "" ? "" : `"${String(value).replaceAll('"', '""')}"`;
  await writeFile(path, rows.map((row) => `${row.map(field).join(",")}\n`).join(""));
  const types = columns.map(([name, type]) => `${sqlText(name)}: ${sqlText(type)}`).join(", ");
  const options = `columns = {${types}}, header = false, delim = ',', quote = '"', escape = '"', auto_detect = false`;
  const source = rows.length === 0 ? "" : `insert into ${table} select * from read_csv(${sqlText(path)}, ${options})`;
  await session.run(`create table ${table} (${columns.map(([name, type]) => `${sqlName(name)} ${type}`).join(", ")})`);
  if (source) await session.run(source);
}

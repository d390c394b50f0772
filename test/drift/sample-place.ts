import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { dayWindow } from "../../src/plan/days.ts";
import { commandIn, type Ran } from "../explain/workplace.ts";
import type { RawEvent } from "../oracle/index.ts";
import { tempFolder } from "../support/lake-on-disk.ts";
import type { Figures, Heard } from "./simulators.ts";

const ZONE = "Asia/Shanghai";
const DAY = "2026-07-28";

/** A seeded sample lake with its mart, and its rows as a realtime layer hears them. */
export interface SamplePlace {
  readonly folder: string;
  readonly heard: Heard;
  readonly utc: Heard;
  /** Compares figures, with reasons from the lake. */
  drift(figures: Figures, metric: string, ...more: string[]): Promise<Ran & { readonly document: Document }>;
}

// biome-ignore lint/suspicious/noExplicitAny: the document's shape is its schema's matter
type Document = any;

export async function samplePlace(users: number, seed: number): Promise<SamplePlace> {
  const folder = tempFolder();
  const run = async (...args: string[]): Promise<Ran> => {
    const ran = await commandIn(folder, args);
    if (![0, 4].includes(ran.code)) throw new Error(ran.stderr);
    return ran;
  };
  const size = ["--users", String(users), "--seed", String(seed)];
  await run("sample", "--out", "lake", "--days", "3", "--from", "2026-07-27", "--tz", ZONE, ...size, "--threads", "1");
  const metrics = "connected,foreground,active,presence-90s,ttl-300s,last-seen-60s";
  await run("rebuild", "--date", DAY, "--lake", "lake", "--out", "mart", "--tz", ZONE, "--metric", metrics);
  const events = await readLake(join(folder, "lake"));
  return {
    folder,
    heard: { events, window: dayWindow(ZONE, DAY) },
    utc: { events, window: dayWindow("UTC", DAY) },
    drift: async (figures, metric, ...more) => {
      const rows = [...figures].map(([user, ms]) => `${user},${ms}\n`);
      writeFileSync(join(folder, "realtime.csv"), `user_id,online_ms\n${rows.join("")}`);
      const what = ["--date", DAY, "--metric", metric, "--realtime", "realtime.csv", "--out", "mart", "--lake", "lake"];
      const ran = await run("drift", ...what, "--json", ...more);
      return { ...ran, document: JSON.parse(ran.stdout) };
    },
  };
}

async function readLake(lake: string): Promise<RawEvent[]> {
  const connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
  await connection.run("set timezone = 'UTC'");
  const reader = await connection.runAndReadAll(`
    select * exclude (server_time, client_time, last_active_at, filename, file_row_number),
      epoch_ms(server_time) as server_time, epoch_ms(client_time) as client_time,
      epoch_ms(last_active_at) as last_active_at, filename, file_row_number
    from read_parquet('${lake}/event_date=*/*/*.parquet', hive_partitioning = false, filename = true, file_row_number = true)
    order by filename, file_row_number`);
  const rows = reader.getRowObjectsJS();
  connection.closeSync();
  return rows.map(({ filename, file_row_number, ...row }) => {
    const [, date, hour] = /event_date=([\d-]+)\/event_hour=(\d+)\//.exec(String(filename))!;
    const plain = Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value]);
    return {
      hourMs: Date.parse(`${date}T${hour!.padStart(2, "0")}:00:00Z`),
      file: String(filename).slice(lake.length + 1),
      row: Number(file_row_number),
      values: { ...Object.fromEntries(plain), others: {} } as RawEvent["values"],
    };
  });
}

import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll } from "vitest";

export const DAY = "2024-01-15";
const DAY_MS = Date.parse(`${DAY}T00:00:00Z`);
const HOUR_MS = 3_600_000;

/** In memory where there is such a file system: hundreds of publishings wait for the disk otherwise. */
const ROOT = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

const made: string[] = [];
// The soak uses this module, too, outside of a test.
if (process.env.VITEST) {
  afterAll(() => {
    for (const folder of made) rmSync(folder, { recursive: true, force: true });
  });
}

/** A private folder, removed after the test file. */
export function tempFolder(name = "publish-"): string {
  const folder = mkdtempSync(join(ROOT, name));
  made.push(folder);
  return folder;
}

let connected: Promise<DuckDBConnection> | undefined;

async function run(sql: string): Promise<void> {
  connected ??= (async () => (await DuckDBInstance.create(":memory:", { threads: "1" })).connect())();
  const connection = await connected;
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run(sql);
}

/** A lake in UTC of which every hour of some days around 2024-01-15 is there, most without events. */
export class SmallLake {
  readonly folder: string;

  /** `hours` counts from 00:00 of 2024-01-15. */
  constructor(folder: string, hours: readonly [from: number, to: number] = [-24, 48]) {
    this.folder = folder;
    for (let hour = hours[0]; hour < hours[1]; hour++) this.success(hour);
  }

  success(hour: number): void {
    const file = join(this.folder, partition(hour), "_SUCCESS");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "");
  }

  path(hour: number, name = "part-0.parquet"): string {
    return join(this.folder, partition(hour), name);
  }

  /** Each user is there for `minutes` from the hour's start, a heartbeat every 30 s. */
  async add(hour: number, users: readonly string[], { name = "part-0.parquet", minutes = 5 } = {}): Promise<string> {
    const path = this.path(hour, name);
    mkdirSync(dirname(path), { recursive: true });
    const list = users.map((user) => `('${user}')`).join(", ");
    await run(`COPY (
      SELECT u || '-${hour}-' || i AS event_id, u AS user_id, u || '-s${hour}' AS session_id, u || '-d' AS device_id,
        CASE WHEN i = 0 THEN 'SESSION_START' WHEN i = ${minutes * 2} THEN 'SESSION_CLOSE' ELSE 'HEARTBEAT' END AS event_type,
        make_timestamptz(${(DAY_MS + hour * HOUR_MS) * 1000} + i * 30000000) AS server_time, i AS sequence
      FROM (VALUES ${list}) AS users(u), range(${minutes * 2 + 1}) AS beats(i) ORDER BY ALL
    ) TO '${path}' (FORMAT parquet)`);
    return path;
  }

  remove(hour: number, name = "part-0.parquet"): void {
    rmSync(this.path(hour, name));
  }

  touch(hour: number, name = "part-0.parquet"): void {
    utimesSync(this.path(hour, name), new Date(), new Date(Date.now() + 60_000));
  }
}

export function partition(hour: number): string {
  const iso = new Date(DAY_MS + hour * HOUR_MS).toISOString();
  return `event_date=${iso.slice(0, 10)}/event_hour=${iso.slice(11, 13)}`;
}

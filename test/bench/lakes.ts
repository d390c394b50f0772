import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { measure } from "./process.ts";

/** The business day that is rebuilt, and its zone: the lake begins where its read window does. */
export const DATE = "2026-07-29";
export const FROM = "2026-07-28";
export const ZONE = "Asia/Shanghai";

export const BIN = new URL("../../bin/presence-batch.js", import.meta.url).pathname;

/** A sample lake in the cache, made where it is not there yet. */
export async function sampleLake(cache: string, users: number, days: number): Promise<string> {
  const lake = join(cache, `sample-${users}-users-${days}-days`);
  if (existsSync(lake)) return lake;
  const half = `${lake}.unfinished-${process.pid}`;
  const options = ["--users", String(users), "--days", String(days), "--from", FROM, "--seed", "1", "--tz", ZONE];
  await measure([BIN, "sample", "--out", half, ...options]);
  renameSync(half, lake);
  return lake;
}

const HOUR_MS = 3_600_000;
/** Three years of hours, of which the sample's are some. */
const HOURS = 26_000;

/** The sample's hours among those of three years; each other hour has one small file of the sample's. */
export async function threeYears(cache: string, users: number): Promise<string> {
  const sample = await sampleLake(cache, users, 2);
  const lake = join(cache, `three-years-${users}-users`);
  if (existsSync(lake)) return lake;
  const half = `${lake}.unfinished-${process.pid}`;
  const hours = partitions(sample);
  const small = hours.map(({ files }) => files[0]!).at(-1)!;
  const last = Date.parse(`${FROM}T00:00:00Z`) + 10 * 24 * HOUR_MS;
  const own = new Map(hours.map(({ path, files }) => [path, files]));
  for (let i = 0; i < HOURS; i++) {
    const iso = new Date(last - i * HOUR_MS).toISOString();
    const path = `event_date=${iso.slice(0, 10)}/event_hour=${iso.slice(11, 13)}`;
    mkdirSync(join(half, path), { recursive: true });
    for (const file of own.get(path) ?? [small]) copyFileSync(file, join(half, path, file.replace(/^.*\//, "")));
  }
  renameSync(half, lake);
  return lake;
}

function partitions(lake: string): { path: string; files: string[] }[] {
  const folders = (path: string) => readdirSync(path).filter((name) => name.startsWith("event_"));
  return folders(lake)
    .flatMap((date) => folders(join(lake, date)).map((hour) => `${date}/${hour}`))
    .map((path) => ({ path, files: readdirSync(join(lake, path)).map((name) => join(lake, path, name)) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { sqlPaths, sqlText } from "../engine/duckdb/reading/sql-text.ts";
import { DuckDbSession, type Row } from "../engine/duckdb/session.ts";
import { inputError } from "../errors.ts";
import { withPrivateFolder } from "../publish/private-folder.ts";

export type TruthKind = "connected" | "foreground" | "active" | "live";

/** What each built-in definition means to measure. */
export const TRUTH_OF: Readonly<Record<string, TruthKind>> = {
  connected: "connected",
  capped: "connected",
  "presence-90s": "connected",
  "last-seen-60s": "connected",
  "ttl-300s": "connected",
  foreground: "foreground",
  active: "active",
  "live-watch": "live",
};

export interface TruthMiss {
  readonly metric: string;
  readonly version: number;
  readonly truth: TruthKind;
  /** People and days with time in either of the two. */
  readonly userDays: number;
  readonly truthMs: number;
  readonly onlineMs: number;
  /** Of the absolute differences per user and day. */
  readonly meanMissMs: number;
  readonly medianMissMs: number;
  /** By how much the sum is above (or below) the truth; null where there is none. */
  readonly totalMissPercent: number | null;
}

export interface ComparedFolders {
  readonly mart: string;
  /** `<lake>/_truth` of a sample written with truth. */
  readonly truth: string;
}

/**
 * By how much each definition of a mart misses what the people of its sample really did, over the days that both know.
 * Definitions of whose meaning nothing is known are left out; `truthOf` may tell it.
 */
export async function compareTruth(folders: ComparedFolders, truthOf = TRUTH_OF): Promise<TruthMiss[]> {
  const truths = await parts(resolve(folders.truth));
  if (truths.size === 0) throw inputError(`${folders.truth} holds no truth`, "write the sample with --truth");
  const marts = await martDays(resolve(folders.mart), truthOf, new Set(truths.keys()));
  return withPrivateFolder(null, async (folder) => {
    const reads = [...truths.values(), ...marts.flatMap(({ files }) => [...files.values()])];
    const session = await DuckDbSession.open({ folder, threads: null, memoryLimitBytes: null, reads });
    try {
      const misses: TruthMiss[] = [];
      for (const mart of marts) {
        const [row] = await session.rows(missSql(mart, truths));
        misses.push(missOf(mart, row!));
      }
      return misses;
    } finally {
      await session.close();
    }
  });
}

interface MartDays {
  readonly metric: string;
  readonly version: number;
  readonly truth: TruthKind;
  /** By date. */
  readonly files: ReadonlyMap<string, string>;
}

async function martDays(
  mart: string,
  truthOf: Readonly<Record<string, TruthKind>>,
  dates: Set<string>,
): Promise<MartDays[]> {
  const found: MartDays[] = [];
  for (const [metric, folder] of await keyed(join(mart, "user_daily"), "metric")) {
    const truth = Object.hasOwn(truthOf, metric) ? truthOf[metric] : undefined;
    if (truth === undefined) continue;
    for (const [version, below] of await keyed(folder, "version")) {
      const files = new Map([...(await parts(below))].filter(([date]) => dates.has(date)));
      if (files.size > 0) found.push({ metric, version: Number(version), truth, files });
    }
  }
  return found;
}

/** The one file of each date below a folder. */
async function parts(folder: string): Promise<Map<string, string>> {
  return new Map((await keyed(folder, "date")).map(([date, path]) => [date, join(path, "part-00000.parquet")]));
}

async function keyed(folder: string, key: string): Promise<[string, string][]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(`${key}=`)).sort();
  return names.map((name) => [name.slice(key.length + 1), join(folder, name)]);
}

function missSql({ truth, files }: MartDays, truths: ReadonlyMap<string, string>): string {
  const rows = (date: string, path: string, ms: string) =>
    `select ${sqlText(date)} as date, user_id, ${ms} as ms
     from read_parquet(${sqlPaths([path])}, hive_partitioning = false) where ${ms} > 0`;
  const told = [...files].map(([date, path]) => rows(date, path, "online_ms"));
  const real = [...files.keys()].map((date) => rows(date, truths.get(date)!, `${truth}_ms`));
  return `
  with both_sides as (
    select coalesce(t.ms, 0) as told_ms, coalesce(r.ms, 0) as real_ms
    from (${told.join(" union all ")}) t
    full join (${real.join(" union all ")}) r on r.date = t.date and r.user_id = t.user_id
  )
  select count(*) as user_days, cast(coalesce(sum(real_ms), 0) as bigint) as truth_ms,
    cast(coalesce(sum(told_ms), 0) as bigint) as online_ms,
    cast(coalesce(sum(abs(told_ms - real_ms)), 0) as bigint) as miss_ms,
    coalesce(quantile_disc(abs(told_ms - real_ms), 0.5), 0) as median_ms
  from both_sides`;
}

function missOf({ metric, version, truth }: MartDays, row: Row): TruthMiss {
  const [userDays, truthMs, onlineMs] = [Number(row.user_days), Number(row.truth_ms), Number(row.online_ms)];
  return {
    ...{ metric, version, truth, userDays, truthMs, onlineMs },
    meanMissMs: userDays === 0 ? 0 : Math.round(Number(row.miss_ms) / userDays),
    medianMissMs: Number(row.median_ms),
    totalMissPercent: truthMs === 0 ? null : ((onlineMs - truthMs) / truthMs) * 100,
  };
}

const HEADER = ["definition", "means", "truth h", "counted h", "total miss", "mean miss/user", "median miss/user"];

/** The misses as a small table for people. */
export function truthTable(misses: readonly TruthMiss[]): string {
  const hours = (ms: number) => (ms / 3_600_000).toFixed(1);
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const rows = misses.map((miss) => [
    `${miss.metric}@${miss.version}`,
    miss.truth,
    hours(miss.truthMs),
    hours(miss.onlineMs),
    miss.totalMissPercent === null
      ? "–"
      : `${miss.totalMissPercent > 0 ? "+" : ""}${miss.totalMissPercent.toFixed(2)} %`,
    seconds(miss.meanMissMs),
    seconds(miss.medianMissMs),
  ]);
  const widths = HEADER.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i < 2 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join("  ")
      .trimEnd();
  return [HEADER, ...rows].map((cells) => `${line(cells)}\n`).join("");
}

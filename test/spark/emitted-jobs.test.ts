/** Jobs that others submit, of days so large that tables have several part files: collected, published, and read by all commands. */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { collectJobs, emitJobs } from "../../src/usecases/emit-jobs.ts";
import { rebuild } from "../../src/usecases/rebuild.ts";
import type { EmitResult, RebuildResult } from "../../src/usecases/rebuild-result.ts";
import { verify } from "../../src/usecases/verify.ts";
import { writeSample, ZONE } from "../sample/support.ts";
import { tempFolder } from "../support/lake-on-disk.ts";
import { fixedEffects, optionsOf } from "../support/rebuild-options.ts";
import { partitionsOf } from "./compare-marts.ts";
import { INTERPRETED, SMALL, sparkSubmit } from "./spark-home.ts";

const folder = tempFolder("presence-spark-");
const [lake, jobs] = [join(folder, "lake"), join(folder, "jobs it's")];
const marts = { spark: join(folder, "spark"), duckdb: join(folder, "duckdb") };
/** As if the tables were large: no part is put to another for being small. */
const MANY_PARTS = "--conf spark.sql.adaptive.coalescePartitions.enabled=false --conf spark.sql.shuffle.partitions=4";

const spark = { submit: "spark-submit", dir: null, emit: jobs };
const options = optionsOf({
  lake,
  out: marts.spark,
  date: "",
  metrics: ["connected"],
  zone: ZONE,
  days: { kind: "range", from: "2026-07-28", to: "2026-07-29" },
});
let emitted: EmitResult;
let collected: RebuildResult;

beforeAll(async () => {
  await writeSample({ out: lake, users: 60, days: 2 });
  emitted = await emitJobs({ ...options, engine: "spark", spark }, spark, fixedEffects());
  const words = [emitted.driver, ...emitted.jobs.map(({ job }) => job)];
  execFileSync(
    "/bin/sh",
    ["-c", `exec ${sparkSubmit("local[2]", SMALL, INTERPRETED, MANY_PARTS)} "$@"`, "sh", ...words],
    {
      stdio: "pipe",
    },
  );
  collected = await collectJobs({ dir: jobs, tempDir: null }, fixedEffects());
  await rebuild({ ...options, out: marts.duckdb }, fixedEffects());
});

const partsOf = (mart: string, table: string): string[] =>
  readdirSync(join(mart, `${table}/metric=connected/version=1/date=2026-07-28`)).sort();

test("come to the same rows in the same order, over several part files", async () => {
  expect(emitted.jobs.map(({ day }) => day)).toEqual(["2026-07-28", "2026-07-29"]);
  expect(collected.days.map(({ day, published }) => [day, published])).toEqual([
    ["2026-07-28", "files"],
    ["2026-07-29", "files"],
  ]);
  expect(partsOf(marts.spark, "user_intervals").slice(0, 2)).toEqual(["part-00000.parquet", "part-00001.parquet"]);
  const [bySpark, byDuckDb] = [await partitionsOf(marts.spark), await partitionsOf(marts.duckdb)];
  expect(Object.keys(bySpark)).toEqual(Object.keys(byDuckDb));
  for (const [partition, { columns, rows }] of Object.entries(byDuckDb)) {
    expect({ partition, ...bySpark[partition] }).toEqual({ partition, columns, rows });
  }
});

test("collected once more, there is nothing left to do", async () => {
  const again = await collectJobs({ dir: jobs, tempDir: null }, fixedEffects());
  expect(again.days.map(({ published }) => published)).toEqual(["nothing", "nothing"]);
});

test("verify finds all in order: bytes, checks, and rows counted again by DuckDB", async () => {
  const resources = { threads: 1, memoryLimitBytes: null, tempDir: null };
  const view = { out: marts.spark, zone: null, metrics: null, eventTypes: [], days: { kind: "none" } } as const;
  const found = await verify(
    { ...view, data: true, repair: false, recompute: lake, resources },
    { ...fixedEffects(), progress() {} },
  );
  expect(found.findings).toEqual([]);
  expect(found.dates).toBe(2);
});

test("a rebuild by DuckDB leaves no part file of before", async () => {
  const days = { kind: "date", date: "2026-07-28" } as const;
  const result = await rebuild({ ...options, days, force: true }, fixedEffects());
  expect(result.days[0]!.published).toBe("files");
  expect(partsOf(marts.spark, "user_intervals")).toEqual(["part-00000.parquet"]);
});

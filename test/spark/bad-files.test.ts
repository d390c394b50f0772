/** Files whose values or pages turn out to be bad while Spark reads them: named (3), or left out. */
import { openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { beforeAll, expect, test } from "vitest";
import type { RebuildOptions } from "../../src/plan/rebuild-options.ts";
import { rebuild } from "../../src/usecases/rebuild.ts";
import { DAY, SmallLake } from "../publish/small-lake.ts";
import { tempFolder } from "../support/lake-on-disk.ts";
import { fixedEffects, optionsOf } from "../support/rebuild-options.ts";
import { partitionsOf } from "./compare-marts.ts";
import { INTERPRETED, SMALL, sparkSubmit } from "./spark-home.ts";

const folder = tempFolder("presence-spark-");
const lake = new SmallLake(join(folder, "lake"));
const UNIT = "seconds.parquet";
const DAMAGED = "damaged.parquet";

beforeAll(async () => {
  await lake.add(10, ["good"]);
  await lake.add(11, ["lost"], { name: DAMAGED });
  damagePages(lake.path(11, DAMAGED));
  const duckdb = await (await DuckDBInstance.create(":memory:")).connect();
  await duckdb.run(`copy (
    select * replace (epoch_ms(server_time) // 1000 as server_time, event_id || 'x' as event_id, session_id || 'x' as session_id)
    from '${lake.path(10)}'
  ) to '${lake.path(10, UNIT)}' (format parquet)`);
});

/** Everything between the first bytes and the footer: the footer alone looks right. */
function damagePages(path: string): void {
  const bytes = readFileSync(path);
  const footer = bytes.readUInt32LE(bytes.length - 8) + 8;
  writeFileSync(path, bytes);
  writeSync(openSync(path, "r+"), Buffer.alloc(bytes.length - footer - 4, 0xff), 0, bytes.length - footer - 4, 4);
}

const run = (engine: "spark" | "duckdb", changes: Partial<RebuildOptions> = {}) =>
  rebuild(
    optionsOf({
      lake: lake.folder,
      out: join(folder, engine),
      date: DAY,
      metrics: ["connected"],
      engine,
      spark: { submit: sparkSubmit("local[2]", SMALL, INTERPRETED), dir: null, emit: null },
      ...changes,
    }),
    fixedEffects(),
  );

test("times in another unit end the job before anything is counted", async () => {
  await expect(run("spark")).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringMatching(/^bad file in .*seconds\.parquet \(TIME_UNIT: 11 of 11 .*declare timeUnit: s\)$/),
  });
});

test("left out, they leave the result of the others, as with DuckDB", async () => {
  const [spark, duckdb] = [
    await run("spark", { onBadFile: "quarantine" }),
    await run("duckdb", { onBadFile: "quarantine" }),
  ];
  const told = ({ days: [day] }: typeof spark) => ({
    bad: day!.badFiles.map(({ path, reason }) => [path.split("/").at(-1), reason]),
    complete: day!.complete,
    events: day!.events,
    metrics: day!.metrics,
  });
  expect(told(spark)).toEqual(told(duckdb));
  expect(told(spark).bad).toEqual([
    [UNIT, "TIME_UNIT"],
    [DAMAGED, "UNREADABLE"],
  ]);
  const [bySpark, byDuckDb] = [await partitionsOf(join(folder, "spark")), await partitionsOf(join(folder, "duckdb"))];
  for (const [partition, { rows }] of Object.entries(byDuckDb)) {
    // Each engine has its own words for what it cannot read.
    if (!partition.startsWith("quarantined_files"))
      expect({ partition, rows: bySpark[partition]!.rows }).toEqual({ partition, rows });
  }
});

/** The built-in definitions on the lesson and a sample lake, rebuilt by both engines: every table equal, row by row. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtinDefinitions } from "../../src/definitions/builtin.ts";
import type { RebuildOptions } from "../../src/plan/rebuild-options.ts";
import { rebuild } from "../../src/usecases/rebuild.ts";
import { ROOT } from "../cli/fakes.ts";
import { writeSample, ZONE } from "../sample/support.ts";
import { tempFolder } from "../support/lake-on-disk.ts";
import { fixedEffects, optionsOf } from "../support/rebuild-options.ts";
import { partitionsOf } from "./compare-marts.ts";
import { SMALL, sparkSubmit } from "./spark-home.ts";

const ALL = builtinDefinitions().map(({ name, version }) => `${name}@${version}`);

async function byBothEngines(given: Parameters<typeof optionsOf>[0], folder: string) {
  const marts = { spark: join(folder, "spark"), duckdb: join(folder, "duckdb") };
  const spark = { submit: sparkSubmit("local[2]", SMALL), dir: null, emit: null };
  const options: RebuildOptions = optionsOf({ ...given, metrics: ALL });
  const results = {
    spark: await rebuild({ ...options, out: marts.spark, engine: "spark", spark }, fixedEffects()),
    duckdb: await rebuild({ ...options, out: marts.duckdb }, fixedEffects()),
  };
  return { marts, results };
}

test.each(["lesson", "sample"])("the %s lake", async (name) => {
  const folder = tempFolder("presence-spark-");
  const lake = name === "lesson" ? join(ROOT, "fixtures/lesson/lake") : join(folder, "lake");
  if (name === "sample") await writeSample({ out: lake, users: 300 });
  const day = name === "lesson" ? { date: "2019-03-15", zone: "America/Caracas" } : { date: "2026-07-28", zone: ZONE };
  const { marts, results } = await byBothEngines({ ...day, lake, out: "" }, folder);
  const [spark, duckdb] = [await partitionsOf(marts.spark), await partitionsOf(marts.duckdb)];
  expect(Object.keys(spark)).toEqual(Object.keys(duckdb));
  expect(Object.keys(duckdb)).toHaveLength(8 * ALL.length + 2);
  for (const [partition, { columns, rows }] of Object.entries(duckdb)) {
    expect({ partition, columns: spark[partition]!.columns }).toEqual({ partition, columns });
    expect({ partition, rows: spark[partition]!.rows }).toEqual({ partition, rows });
  }
  const [built, reference] = [results.spark.days[0]!, results.duckdb.days[0]!];
  expect({ events: built.events, metrics: built.metrics, warnings: built.warnings }).toEqual({
    events: reference.events,
    metrics: reference.metrics,
    warnings: reference.warnings,
  });
  expect(built.profile).toContainEqual(
    expect.objectContaining({
      step: "distinct_events",
      seconds: expect.any(Number),
      rowsOut: null,
      peakRssBytes: null,
    }),
  );
  const manifest = readFileSync(join(marts.spark, `_presence/runs/${built.runId}/manifest.json`), "utf8");
  expect(JSON.parse(manifest)).toMatchObject({ engine: "spark 4.3.0", stages: built.profile });
});

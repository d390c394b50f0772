/** Random hostile lakes through both engines, Spark's in one session: every table equal, row by row, and equal to the reference. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { LOCAL_FILES } from "../../src/lake/file-access.ts";
import type { RebuildOptions } from "../../src/plan/rebuild-options.ts";
import { collectSparkDay } from "../../src/usecases/collect-spark-day.ts";
import { countDay } from "../../src/usecases/count-day.ts";
import { type DayPlan, planDays, planDefinitions } from "../../src/usecases/day-plan.ts";
import { type PreparedDay, prepareSparkDay } from "../../src/usecases/prepare-spark-day.ts";
import { type SparkPlace, sparkPlace } from "../../src/usecases/spark-place.ts";
import { scenariosAlike } from "../fuzz/arbitrary.ts";
import { readable } from "../fuzz/compare.ts";
import { differences, optionsFor } from "../fuzz/compare-rebuild.ts";
import { merge } from "../fuzz/merge.ts";
import type { Scenario } from "../fuzz/scenario.ts";
import { writeLake } from "../fuzz/write-lake.ts";
import { tempFolder } from "../support/lake-on-disk.ts";
import { partitionsOf } from "./compare-marts.ts";
import { runJobs } from "./run-jobs.ts";

/** A job counts lakes of one day and the same definitions, each with people of its own: what a job costs is its many steps. */
const ALIKE = 10;
const JOBS = 2;
const SEED = Number(process.env.PRESENCE_SPARK_SEED ?? 1);
const EFFECTS = { signal: new AbortController().signal, stage() {} };

interface Lake {
  readonly scenario: Scenario;
  readonly options: RebuildOptions;
  readonly folder: string;
  readonly day: DayPlan;
  readonly prepared: PreparedDay;
  readonly place: SparkPlace;
}

const root = tempFolder("presence-spark-");
const lakes: Lake[] = [];
let results: string[];

async function writeScenario(scenario: Scenario, index: number): Promise<Lake> {
  const folder = join(root, String(index));
  mkdirSync(folder);
  const options = await optionsFor(scenario, folder);
  await writeLake(scenario, options.lake);
  // After all days that there are, so that each of them is over.
  const plan = await planDays(options, { nowMs: Date.UTC(2101, 0, 1) });
  const day = plan.days[0]!;
  const definitions = planDefinitions(options);
  const prepared = await prepareSparkDay(day, {
    definitions,
    options,
    folder,
    job: `lake-${index}`,
    unreadable: [],
    effects: EFFECTS,
  });
  return { scenario, options, folder, day, prepared, place: sparkPlace(join(folder, "jobs"), {}) };
}

beforeAll(async () => {
  for (let seed = SEED; lakes.length < JOBS; seed++) {
    const { scenario, definitions } = readable(merge(scenariosAlike(seed, ALIKE)));
    // Definitions that the program refuses leave nothing to count.
    if (definitions.length > 0) lakes.push(await writeScenario(scenario, lakes.length));
  }
  results = await runJobs(
    lakes.map(({ prepared, place, scenario }) => ({ job: prepared.job, place, day: scenario.day })),
  );
});

test.each(Array.from({ length: JOBS }, (_, index) => index))(`${ALIKE} lakes of job %i`, async (index) => {
  const { scenario, options, folder, day, prepared, place } = lakes[index]!;
  const definitions = planDefinitions(options);
  const [onSpark, onDuckDb] = [join(folder, "on-spark"), join(folder, "on-duckdb")];
  for (const out of [onSpark, onDuckDb]) mkdirSync(out);
  const collecting = { definitions, options, folder: onSpark, place, take: false };
  const counted = await collectSparkDay(day, prepared, results[index]!, collecting);
  const reference = await countDay({ day, access: LOCAL_FILES }, definitions, options, onDuckDb, EFFECTS);
  expect({ ...counted.events, bad: counted.bad }).toEqual({ ...reference.events, bad: reference.bad });
  expect(counted.metrics).toEqual(reference.metrics);
  expect(counted.damaged).toEqual(reference.damaged);
  const [spark, duckdb] = [await partitionsOf(onSpark), await partitionsOf(onDuckDb)];
  expect(Object.keys(spark)).toEqual(Object.keys(duckdb));
  for (const [partition, { columns, rows }] of Object.entries(duckdb)) {
    expect({ partition, columns: spark[partition]!.columns }).toEqual({ partition, columns });
    expect({ partition, rows: spark[partition]!.rows }).toEqual({ partition, rows });
  }
  expect(await differences(scenario, onSpark)).toEqual([]);
});

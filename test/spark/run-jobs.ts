import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SparkJob } from "../../src/engine/spark/job.ts";
import { submit } from "../../src/engine/spark/submit.ts";
import { jobKey, jobUrl, placeDriver, resultText, type SparkPlace } from "../../src/usecases/spark-place.ts";
import { INTERPRETED, SMALL, sparkSubmit } from "./spark-home.ts";

/** A job, and the place and day below which it lies. */
export interface PlacedJob {
  readonly job: SparkJob;
  readonly place: SparkPlace;
  readonly day: string;
}

/** Runs jobs in one Spark session and gives the texts of their results. */
export async function runJobs(jobs: readonly PlacedJob[]): Promise<string[]> {
  for (const { job, place, day } of jobs) await place.store.put(jobKey(day, "job.json"), JSON.stringify(job));
  const first = jobs[0]!.place;
  const log = join(first.url, "spark.log");
  const { exitCode, failures } = await submit({
    command: sparkSubmit("local[2]", SMALL, INTERPRETED),
    driver: await placeDriver(first),
    jobs: jobs.map(({ place, day }) => jobUrl(place, day)),
    log,
    signal: new AbortController().signal,
    stage() {},
  });
  if (exitCode !== 0) throw new Error(`${JSON.stringify(failures[0])}\n${readFileSync(log, "utf8").slice(-4000)}`);
  return Promise.all(jobs.map(async ({ place, day }) => (await resultText(place, day)) ?? "{}"));
}

import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Definition } from "../definitions/definition.ts";
import { type JobFailure, type Submitted, submit } from "../engine/spark/submit.ts";
import { EXIT, inputError, PresenceError, usageError } from "../errors.ts";
import { type BadFile, badFile } from "../lake/bad-file.ts";
import type { LakeFile } from "../lake/lake-file.ts";
import type { RebuildOptions } from "../plan/rebuild-options.ts";
import type { SparkOptions } from "../plan/spark-options.ts";
import { refuseBadFiles } from "./bad-files.ts";
import { collectSparkDay } from "./collect-spark-day.ts";
import { type CountEffects, type CountedDay, stageNames } from "./count-day.ts";
import type { DayPlan } from "./day-plan.ts";
import { assertSameLake } from "./lake-recheck.ts";
import type { MartEffects } from "./mart-access.ts";
import { prepareSparkDay } from "./prepare-spark-day.ts";
import {
  DRIVER_FILE,
  failureTexts,
  jobKey,
  jobUrl,
  resultText,
  type SparkPlace,
  sparkPlace,
  sparkUrl,
} from "./spark-place.ts";

export interface SparkCounting {
  readonly definitions: readonly Definition[];
  readonly options: RebuildOptions;
  readonly spark: SparkOptions;
  /** Private. */
  readonly folder: string;
  /** Unique. */
  readonly runId: string;
  readonly effects: CountEffects & Pick<MartEffects, "s3" | "openLake" | "openStore">;
}

/**
 * Counts one day on Spark: makes its job, submits it, waits, and takes what it has written. It is done when its result is there; the
 * command's exit code says nothing. A file whose rows cannot be read fails it (exit 3), or the day is counted again without it.
 */
export async function countOnSpark(day: DayPlan, counting: SparkCounting): Promise<CountedDay> {
  const { definitions, options, spark, folder, runId, effects } = counting;
  const date = day.window.day;
  const place = sparkPlace(spark.dir === null ? join(folder, "spark") : `${spark.dir}/${runId}`, effects);
  const log = join(resolve(options.tempDir ?? tmpdir()), `presence-batch-spark-${runId}.log`);
  const unreadable: BadFile[] = [];
  try {
    for (;;) {
      const prepared = await prepareSparkDay(day, { ...counting, job: runId, unreadable });
      await place.store.put(jobKey(date, "job.json"), JSON.stringify(prepared.job));
      const said = await submit({
        command: spark.submit,
        driver: DRIVER_FILE,
        jobs: [jobUrl(place, date)],
        log,
        signal: effects.signal,
        stage: told(options, definitions, effects),
      });
      effects.signal.throwIfAborted();
      const text = await resultText(place, date);
      const submitted = text === null ? await withFailures(said, place, date) : said;
      if (text !== null) {
        const counted = await collectSparkDay(day, prepared, text, { ...counting, place, take: true });
        await assertSameLake(day, options, effects);
        await rm(log);
        return counted;
      }
      const found = unreadableFiles(prepared.readable, submitted);
      if (found.length === 0) throw sparkFailure(date, spark.submit, submitted, log);
      await assertSameLake(day, options, effects);
      unreadable.push(...found);
      refuseBadFiles(unreadable, options);
    }
  } finally {
    if (spark.dir !== null) await forget(place);
  }
}

/** What is left of a job is in nobody's way, but that of the error that ended it would be. */
const forget = (place: SparkPlace): Promise<void> => place.store.deleteAll("").catch(() => {});

/** The driver's failures as its output told them, or else as it has left them in the place. */
async function withFailures(submitted: Submitted, place: SparkPlace, date: string): Promise<Submitted> {
  if (submitted.failures.length > 0) return submitted;
  const failures = (await failureTexts(place, date)).map((text) => JSON.parse(text) as JobFailure);
  return { ...submitted, failures };
}

function told(options: RebuildOptions, definitions: readonly Definition[], effects: CountEffects) {
  const names = stageNames(options.settings, definitions);
  let last = "";
  return (_job: string, stage: string) => {
    if (stage === last || !names.includes(stage)) return;
    last = stage;
    effects.stage(stage, names.indexOf(stage), names.length);
  };
}

/** Files of those read that Spark says it cannot read. */
function unreadableFiles(read: readonly LakeFile[], { failures }: Submitted): BadFile[] {
  const said = failures.map(({ error }) => decoded(error)).join("\n");
  if (!/FAILED_READ_FILE|CANNOT_READ_FILE_FOOTER/.test(said)) return [];
  return read
    .filter(({ path }) => said.includes(sparkUrl(path)))
    .map((file) => badFile(file, "UNREADABLE", errorLine(said)));
}

function decoded(text: string): string {
  return text.replace(/(%[0-9A-Fa-f]{2})+/g, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

/** Spark's own words: the condition that it names, or else the first line that says something. */
function errorLine(text: string): string {
  const [condition] = /\[[A-Z][A-Z0-9_.]+\] [^\n]+/.exec(text) ?? [];
  const first = text.split("\n").find((line) => line.trim() !== "" && !/^An error occurred while calling/.test(line));
  return (condition ?? first ?? "no reason given")
    .replace(/ SQLSTATE: \w+.*$/, "")
    .replace(/^:\s*/, "")
    .trim();
}

/** Conditions that lie with the lake: a file that is gone, or bytes that are no text. */
const INPUT_AT_FAULT =
  /FAILED_READ_FILE|PATH_NOT_FOUND|FileNotFoundException|INVALID_UTF8_STRING|Spark finds \d+ files instead/;

/** The two lines of a job that has failed. */
export function sparkFailure(day: string, command: string, submitted: Submitted, log: string): PresenceError {
  const { exitCode, failures, lastErrors } = submitted;
  if (exitCode === 127 || exitCode === 126) {
    return usageError(
      `cannot run ${command}: ${lastErrors.at(-1) ?? `exit code ${exitCode}`}`,
      'Say how Spark is reached: --spark-submit "/path/to/spark-submit --master …", or set SPARK_HOME.',
    );
  }
  const [failure] = failures;
  if (failure?.step === "job") {
    const hint = failure.error.includes("s3a.S3AFileSystem not found")
      ? "Give it S3A: --packages org.apache.hadoop:hadoop-aws:…, of the version of its Hadoop, in --spark-submit."
      : "Name a place that it reaches as this machine does: --spark-dir.";
    return usageError(
      `Spark cannot read its job ${failure.job}: ${errorLine(failure.error)}`,
      `${hint} Full log: ${log}`,
    );
  }
  const said = failure ? errorLine(failure.error) : (lastErrors[0] ?? `${command} ended with ${exitCode}`);
  const where = failure ? `in ${failure.step}` : "before the job began, or without a result";
  const message = `Spark has not counted ${day} (${where}): ${said}`;
  const hint = `Nothing was published. Full log: ${log}`;
  return INPUT_AT_FAULT.test(failure?.error ?? "")
    ? inputError(message, hint)
    : new PresenceError(EXIT.unexpected, message, { hint });
}

import { copyFile, mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Definition } from "../definitions/definition.ts";
import { createInputTable } from "../engine/duckdb/input-table.ts";
import { DuckDbSession } from "../engine/duckdb/session.ts";
import { type JobResult, parseResult } from "../engine/spark/result.ts";
import type { BadFile } from "../lake/bad-file.ts";
import { judgeValues } from "../lake/probe-values.ts";
import { assertChecks } from "../pipeline/checks.ts";
import { completeMart, martParts, type SparkPart } from "../pipeline/collect-mart.ts";
import { summaryOf } from "../pipeline/day-summary.ts";
import type { RebuildOptions } from "../plan/rebuild-options.ts";
import { badFilesTable, refuseBadFiles } from "./bad-files.ts";
import type { CountedDay } from "./count-day.ts";
import type { DayPlan } from "./day-plan.ts";
import type { PreparedDay } from "./prepare-spark-day.ts";
import { fetched, outputParts, type SparkPlace } from "./spark-place.ts";

export interface Collecting {
  readonly definitions: readonly Definition[];
  readonly options: RebuildOptions;
  /** Private. */
  readonly folder: string;
  readonly place: SparkPlace;
  /** The place's files are no longer needed. */
  readonly take: boolean;
}

/** Takes a day that Spark has counted: its checks, its counts, and its files below the private folder; nothing is published. */
export async function collectSparkDay(
  day: DayPlan,
  prepared: PreparedDay,
  text: string,
  collecting: Collecting,
): Promise<CountedDay> {
  const { definitions, options } = collecting;
  const result = parseResult(text, prepared.job.job);
  const { good, bad } = judged(day, prepared, result, options);
  refuseBadFiles(bad, options);
  if (result.stopped) throw new Error("Spark stopped for a bad file that is none");
  const answers = prepared.job.answers.map(({ name }) => result.answers[name] ?? []);
  const { checks, ...summary } = await summaryOf(answers);
  assertChecks(day.window.day, checks);
  const { files, rows } = await collectFiles(day, definitions, bad, result, collecting);
  // Spark's own history server tells.
  const elsewhere = { rowsIn: null, rowsOut: null, peakRssBytes: null, spilledBytes: null };
  const profile = result.steps.map(({ stage, step, seconds }) => ({ stage, step, seconds, ...elsewhere }));
  return { good, bad, ...summary, checks, profile, files, rows, engine: `spark ${result.spark}` };
}

/** The good and the bad files once their values are known. */
function judged(day: DayPlan, prepared: PreparedDay, result: JobResult, options: RebuildOptions) {
  const found = new Map<string, BadFile>(prepared.bad.map((file) => [file.relative, file]));
  const values = new Map(result.values.map((row) => [Number(row.file_no), row]));
  const good = judgeValues(prepared.readable, values, options.settings.timeUnit, found);
  return { good, bad: day.files.flatMap(({ relative }) => found.get(relative) ?? []) };
}

async function collectFiles(
  { window: { day } }: DayPlan,
  definitions: readonly Definition[],
  bad: readonly BadFile[],
  result: JobResult,
  { folder, place, take }: Collecting,
): Promise<Pick<CountedDay, "files" | "rows">> {
  const parts: SparkPart[] = [];
  for (const { key, path } of await outputParts(place, day, result.attempt)) {
    parts.push({ path, local: await fetched(place, key, folder) });
  }
  const present = martParts(day, definitions, parts);
  for (const [{ path }, { local }] of present) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await (take ? rename : copyFile)(local, join(folder, path));
  }
  const session = await DuckDbSession.open({ folder, threads: 1, memoryLimitBytes: null });
  try {
    await createInputTable(session, badFilesTable(bad));
    const rows = await completeMart(session, day, definitions, present, folder);
    return { files: [...rows.keys()].sort((a, b) => (a.path < b.path ? -1 : 1)), rows };
  } finally {
    await session.close();
  }
}

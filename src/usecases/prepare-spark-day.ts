import { join } from "node:path";
import type { Definition } from "../definitions/definition.ts";
import { DuckDbSession } from "../engine/duckdb/session.ts";
import type { SparkJob } from "../engine/spark/job.ts";
import type { BadFile } from "../lake/bad-file.ts";
import { type FileAccess, LOCAL_FILES } from "../lake/file-access.ts";
import type { LakeFile } from "../lake/lake-file.ts";
import { probeFooters } from "../lake/probe.ts";
import type { ProbedFile } from "../lake/probed-file.ts";
import { dayJob } from "../pipeline/spark-job.ts";
import type { RebuildOptions } from "../plan/rebuild-options.ts";
import { defaultMemoryLimit } from "../plan/resources.ts";
import { refuseBadFiles } from "./bad-files.ts";
import { ownHours } from "./count-day.ts";
import type { DayPlan } from "./day-plan.ts";
import { incompleteness } from "./incompleteness.ts";
import { type LakeEffects, lakeStore } from "./lake-access.ts";
import { sparkUrl } from "./spark-place.ts";

/** A day's job, and what this program knows of its files without having read their rows. */
export interface PreparedDay {
  readonly job: SparkJob;
  /** Good as far as their footers tell, at their paths in the lake. */
  readonly readable: readonly ProbedFile[];
  readonly bad: readonly BadFile[];
}

export interface Preparing {
  readonly definitions: readonly Definition[];
  readonly options: RebuildOptions;
  /** Private. */
  readonly folder: string;
  /** Unique name of the job. */
  readonly job: string;
  /** Files whose rows an earlier try could not read. */
  readonly unreadable: readonly BadFile[];
  readonly effects: LakeEffects & { readonly signal: AbortSignal };
}

/** Reads footers and makes the job. Bad files fail it (exit 3) or are left out, as the options say. */
export async function prepareSparkDay(day: DayPlan, preparing: Preparing): Promise<PreparedDay> {
  const { definitions, options, job, unreadable } = preparing;
  const left = day.files.filter(({ relative }) => !unreadable.some((bad) => bad.relative === relative));
  const found = new Map<string, BadFile>(unreadable.map((bad) => [bad.relative, bad]));
  const readable = await readFooters(left, preparing, found);
  const bad = day.files.flatMap(({ relative }) => found.get(relative) ?? []);
  refuseBadFiles(bad, options);
  const paths = new Map(left.map(({ relative, path }) => [relative, path]));
  const files = readable.map((file, fileNo) => ({ ...file, fileNo, path: paths.get(file.relative)! }));
  return {
    readable: files,
    bad,
    job: await dayJob({
      job,
      files: files.map((file) => ({ ...file, path: sparkUrl(file.path) })),
      window: day.window,
      settings: options.settings,
      definitions,
      hoursThere: ownHours(day),
      complete: incompleteness(day, bad).length === 0,
      onBadFile: options.onBadFile,
    }),
  };
}

/** Brings no more than the ends of a bucket's objects to this machine. */
async function readFooters(
  files: readonly LakeFile[],
  { options, folder, effects }: Preparing,
  bad: Map<string, BadFile>,
): Promise<ProbedFile[]> {
  const { stage } = lakeStore(options.lake, effects);
  if (stage === null) return probe(files, LOCAL_FILES, options, folder, bad);
  const staged = await stage([files], join(folder, "footers"), effects.signal);
  try {
    const { files: at, access } = staged.openDay(0, "ends");
    return await probe(at, access, options, folder, bad);
  } finally {
    await staged.close();
  }
}

async function probe(
  files: readonly LakeFile[],
  access: FileAccess,
  options: RebuildOptions,
  folder: string,
  bad: Map<string, BadFile>,
): Promise<ProbedFile[]> {
  const session = await DuckDbSession.open({
    folder,
    threads: options.threads,
    memoryLimitBytes: options.memoryLimitBytes ?? defaultMemoryLimit(),
    reads: access.paths(files),
  });
  try {
    return await probeFooters(files, options.settings, (sql) => session.rows(sql), bad, access);
  } finally {
    await session.close();
  }
}

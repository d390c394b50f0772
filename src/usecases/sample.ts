import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { DuckDbSession } from "../engine/duckdb/session.ts";
import { usageError } from "../errors.ts";
import { defaultMemoryLimit } from "../plan/resources.ts";
import { withPrivateFolder } from "../publish/private-folder.ts";
import { planSample, type SamplePlan, type SampleRequest } from "../sample/sample-plan.ts";
import { type SampleCounts, writeSample } from "../sample/write-sample.ts";

export interface SampleOptions extends SampleRequest {
  /** A folder that is empty or not there yet. */
  readonly out: string;
  /** Also what the people really did, below `<out>/_truth`. */
  readonly truth: boolean;
  readonly threads: number | null;
  readonly memoryLimitBytes: number | null;
}

export interface SampleEffects {
  progress(event: SampleProgress): void;
  readonly signal: AbortSignal;
}

export interface SampleProgress {
  readonly done: number;
  readonly of: number;
  readonly events: number;
}

export interface SampleResult extends SampleRequest {
  readonly out: string;
  readonly truth: boolean;
  /** Business days that are there with their neighbours' events; ISO instants of the complete hours. */
  readonly businessDays: readonly string[];
  readonly completeFrom: string;
  readonly completeTo: string;
  readonly sessions: number;
  readonly events: number;
  readonly files: number;
  readonly seconds: number;
}

/** Writes a lake to try things on. The same options give the same bytes; a run that fails leaves nothing behind. */
export async function sample(options: SampleOptions, effects: SampleEffects): Promise<SampleResult> {
  const started = performance.now();
  const { users, days, from, seed, zone, out, truth } = options;
  const plan = planSample(options);
  const isNew = await claimFolder(out);
  try {
    // Below --out, so that the finished lake only has to be renamed.
    const counts = await withPrivateFolder(out, async (folder) => {
      const lake = join(folder, "lake");
      const counted = await generate(plan, options, folder, lake, effects);
      for (const name of await readdir(lake)) await rename(join(lake, name), join(out, name));
      return counted;
    });
    return {
      ...{ users, days, from, seed, zone, out, truth },
      businessDays: plan.days.filter(({ asked }) => asked).map(({ day }) => day),
      completeFrom: new Date(plan.startMs).toISOString(),
      completeTo: new Date(plan.endMs).toISOString(),
      sessions: counts.sessions,
      events: counts.events,
      files: counts.files,
      seconds: (performance.now() - started) / 1000,
    };
  } catch (error) {
    if (isNew) await rm(out, { recursive: true, force: true });
    throw error;
  }
}

async function generate(
  plan: SamplePlan,
  options: SampleOptions,
  folder: string,
  lake: string,
  effects: SampleEffects,
): Promise<SampleCounts> {
  const session = await DuckDbSession.open({
    folder,
    threads: options.threads,
    memoryLimitBytes: options.memoryLimitBytes ?? defaultMemoryLimit(),
  });
  const stop = () => session.interrupt();
  effects.signal.addEventListener("abort", stop);
  try {
    return await writeSample(plan, {
      session,
      out: lake,
      seed: options.seed,
      truth: options.truth,
      signal: effects.signal,
      step: (done, of, events) => effects.progress({ done, of, events }),
    });
  } finally {
    effects.signal.removeEventListener("abort", stop);
    await session.close();
  }
}

/** Gives whether the folder was made; anything in it is somebody's, and is left alone. */
async function claimFolder(out: string): Promise<boolean> {
  const made = await mkdir(out, { recursive: true }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EEXIST" && cause.code !== "ENOTDIR") throw cause;
    throw usageError(`--out ${out} is no folder`, "name a folder that is empty or not there yet");
  });
  if (made === undefined && (await readdir(out)).length > 0) {
    throw usageError(`--out ${out} is not empty`, "name a folder that is empty or not there yet: nothing is replaced");
  }
  return made !== undefined;
}

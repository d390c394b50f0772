import { usageError } from "../errors.ts";
import { readOptions, readRebuildOptions } from "../plan/config.ts";
import type { OptionInputs } from "../plan/option-sources.ts";
import { flagName } from "../plan/option-table.ts";
import type { RebuildOptions } from "../plan/rebuild-options.ts";
import type { RebuildEffects } from "../usecases/rebuild-result.ts";
import { paintFor } from "./ansi.ts";
import { emitReport } from "./emit-report.ts";
import { CommandFailure } from "./failure.ts";
import type { Io, Runtime } from "./io.ts";
import { printJson } from "./json.ts";
import { planReport } from "./plan-report.ts";
import { profileReport } from "./profile-report.ts";
import { type ProgressView, progressView } from "./progress.ts";
import { rebuildReport } from "./rebuild-report.ts";

/** `rebuild`: reads the options, runs or plans, and shows what came of it. */
export async function rebuildAction(flags: Readonly<Record<string, unknown>>, io: Io, runtime: Runtime): Promise<void> {
  const inputs = { flags, env: io.env, cwd: io.cwd };
  if (flags.collect !== undefined) return collectAction(inputs, io, runtime);
  const { s3, ...options } = readRebuildOptions(inputs);
  const view = progressView(io);
  const published: string[] = [];
  try {
    await runRebuild(options, { ...effects(io, runtime, view, published), s3 }, io, runtime, view);
  } catch (error) {
    view.done();
    throw new CommandFailure(error, published, options.debug);
  }
}

function effects(io: Io, runtime: Runtime, view: ProgressView, published: string[]): RebuildEffects {
  return {
    nowMs: io.now(),
    signal: runtime.signal,
    warn: (text) => view.warn(text),
    progress(event) {
      if (event.kind === "published") published.push(event.day);
      view.progress(event);
    },
  };
}

async function runRebuild(
  options: RebuildOptions,
  effects: RebuildEffects,
  io: Io,
  runtime: Runtime,
  view: ProgressView,
): Promise<void> {
  const { rebuild, planRebuild } = await runtime.loadRebuild();
  runtime.signal.throwIfAborted();
  const paint = paintFor(io, "stdout");
  if (options.dryRun) {
    const plan = await planRebuild(options, effects);
    view.done();
    if (options.json) printJson(io, "rebuild-plan", plan);
    else io.stdout(planReport(plan, paint));
    return;
  }
  if (options.spark?.emit) {
    const { emitJobs } = await import("../usecases/emit-jobs.ts");
    const emitted = await emitJobs(options, options.spark, effects);
    view.done();
    if (options.json) printJson(io, "emit", emitted);
    else io.stdout(emitReport(emitted));
    return;
  }
  const result = await rebuild(options, effects);
  view.done();
  if (options.json) printJson(io, "rebuild", result);
  else io.stdout(rebuildReport(result, paint));
  if (options.profile) io.stderr(profileReport(result.days, paintFor(io, "stderr")));
}

/** What may be said besides `--collect`: all that decides the result is what the jobs were emitted with. */
const WITH_COLLECT = ["collect", "tempDir", "json", "debug", "config"];

/** `rebuild --collect`: publishes what emitted jobs have come to. */
async function collectAction(inputs: OptionInputs, io: Io, runtime: Runtime): Promise<void> {
  const other = Object.keys(inputs.flags).find(
    (flag) => inputs.flags[flag] !== undefined && !WITH_COLLECT.includes(flag),
  );
  if (other !== undefined) {
    throw usageError(
      `${flagName(other)} does not go with --collect`,
      "Days, places and definitions are those of --emit.",
    );
  }
  const { values, s3 } = readOptions(inputs);
  const view = progressView(io);
  const published: string[] = [];
  try {
    const { collectJobs } = await import("../usecases/emit-jobs.ts");
    const where = { dir: values.collect!, tempDir: values.tempDir ?? null };
    const result = await collectJobs(where, { ...effects(io, runtime, view, published), s3 });
    view.done();
    if (values.json) printJson(io, "rebuild", result);
    else io.stdout(rebuildReport(result, paintFor(io, "stdout")));
  } catch (error) {
    view.done();
    throw new CommandFailure(error, published, values.debug ?? false);
  }
}

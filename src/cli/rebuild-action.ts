import { readRebuildOptions } from "../plan/config.ts";
import type { RebuildOptions } from "../plan/rebuild-options.ts";
import type { RebuildEffects } from "../usecases/rebuild-result.ts";
import { paintFor } from "./ansi.ts";
import { CommandFailure } from "./failure.ts";
import type { Io, Runtime } from "./io.ts";
import { printJson } from "./json.ts";
import { refuseNotYet } from "./not-yet.ts";
import { planReport } from "./plan-report.ts";
import { profileReport } from "./profile-report.ts";
import { type ProgressView, progressView } from "./progress.ts";
import { rebuildReport } from "./rebuild-report.ts";

/** `rebuild`: reads the options, runs or plans, and shows what came of it. */
export async function rebuildAction(flags: Readonly<Record<string, unknown>>, io: Io, runtime: Runtime): Promise<void> {
  const { s3, ...options } = readRebuildOptions({ flags, env: io.env, cwd: io.cwd });
  const view = progressView(io);
  const published: string[] = [];
  try {
    refuseNotYet(options);
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
  const result = await rebuild(options, effects);
  view.done();
  if (options.json) printJson(io, "rebuild", result);
  else io.stdout(rebuildReport(result, paint));
  if (options.profile) io.stderr(profileReport(result.days, paintFor(io, "stderr")));
}

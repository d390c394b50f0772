import { definitionId } from "../definitions/resolve.ts";
import { EXIT, PresenceError } from "../errors.ts";
import { martFiles } from "../pipeline/write-mart.ts";
import type { RebuildOptions } from "../plan/rebuild-options.ts";
import { sparkOptions } from "../plan/spark-options.ts";
import { openDate } from "../publish/publish-run.ts";
import { newRunId } from "../publish/run-id.ts";
import { buildDay, bytesOf, type DayContext } from "./build-day.ts";
import { countDay, stageNames } from "./count-day.ts";
import { countOnSpark } from "./count-on-spark.ts";
import { hourName } from "./day-plan.ts";
import { lakeStore, withDays } from "./lake-access.ts";
import { martStore } from "./mart-access.ts";
import { planRebuilding, type RebuildPlanning } from "./rebuild-planning.ts";
import type { DayResult, RebuildEffects, RebuildPlan, RebuildResult } from "./rebuild-result.ts";
import { oddityWarnings } from "./warnings.ts";

/** What a run would read, compute and write, and why; nothing is read but names, and nothing is written. */
export async function planRebuild(options: RebuildOptions, effects: RebuildEffects): Promise<RebuildPlan> {
  const plan = await planRebuilding(options, effects, martStore(options.out, effects));
  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    zone: options.zone,
    lake: options.lake,
    out: options.out,
    definitions: plan.definitions.map(({ name, version, online, hash }) => ({ metric: name, version, online, hash })),
    refused: plan.refused.map(({ message }) => message),
    days: plan.toBuild.map(({ day, definitions, why }) => ({
      day: day.window.day,
      start: iso(day.window.startMs),
      end: iso(day.window.endMs),
      readFrom: iso(day.readWindow.startMs),
      readTo: iso(day.readWindow.endMs),
      files: day.files.length,
      bytes: bytesOf(day),
      missingHours: day.missingHours.map(hourName),
      missingMarginHours: day.missingMarginHours.map(hourName),
      oddities: plan.oddities,
      why: [...why].map(([definition, { state, reasons }]) => ({
        definition: definitionId(definition),
        state,
        reasons,
      })),
      stages: stageNames(options.settings, definitions),
      outputs: martFiles(day.window.day, definitions).map(({ path }) => path),
    })),
  };
}

/** Builds and publishes the days, one after the other. Of named days, one that cannot be built stops the run before the next. */
export async function rebuild(options: RebuildOptions, effects: RebuildEffects): Promise<RebuildResult> {
  const store = martStore(options.out, effects);
  await store.assertUsable();
  const runId = newRunId(effects.nowMs);
  const plan = await planRebuilding(options, effects, store, (date) => openDate(store, date, runId, effects.nowMs));
  effects.progress({
    kind: "plan",
    days: plan.toBuild.length,
    definitions: plan.definitions.map(definitionId),
    files: new Set(plan.toBuild.flatMap(({ day }) => day.files.map(({ relative }) => relative))).size,
  });
  for (const warning of [...oddityWarnings(plan.oddities), ...plan.refused.map(({ message }) => message)]) {
    effects.warn(warning);
  }
  const days: DayResult[] = [];
  const failures: PresenceError[] = [...plan.refused];
  await withCounting(plan, options, effects, async (counting) => {
    for (const target of plan.toBuild) {
      const dayRunId = `${runId}-${target.day.window.day}`;
      try {
        const context = { options, effects, store, runId: dayRunId, count: counting(dayRunId) };
        const result = await buildDay(target, plan, context);
        days.push(result);
        effects.progress({ kind: "published", day: result.day, seconds: result.seconds });
      } catch (error) {
        // A nightly run mends what it can: one bad day must not keep the others waiting.
        if (!options.stale || !isOfOneDay(error)) throw error;
        effects.warn(error.message);
        failures.push(error);
      }
    }
  });
  if (failures.length > 0) throw failures.length === 1 ? failures[0]! : together(failures);
  return { out: options.out, days };
}

/** Gives `work` the way in which the days of a run are counted: by Spark where the lake lies, else here. */
function withCounting(
  { toBuild }: RebuildPlanning,
  options: RebuildOptions,
  effects: RebuildEffects,
  work: (counting: (runId: string) => DayContext["count"]) => Promise<void>,
): Promise<void> {
  if (options.engine === "spark") {
    const spark = options.spark ?? sparkOptions({}, {});
    return work(
      (runId) => (day, folder, told, definitions) =>
        countOnSpark(day, { definitions, options, spark, folder, runId, effects: { ...effects, ...told } }),
    );
  }
  const days = toBuild.map(({ day }) => day);
  const where = { tempDir: options.tempDir, signal: effects.signal };
  return withDays(days, lakeStore(options.lake, effects), where, (open) =>
    work(() => (day, folder, told, definitions) => countDay(open(day), definitions, options, folder, told)),
  );
}

const isOfOneDay = (error: unknown): error is PresenceError =>
  error instanceof PresenceError && [EXIT.input, EXIT.outrun, EXIT.check].some((code) => code === error.exitCode);

function together(failures: readonly PresenceError[]): PresenceError {
  const [first] = failures as [PresenceError];
  return new PresenceError(first.exitCode, `${failures.length} days could not be built, such as: ${first.message}`, {
    ...(first.hint === undefined ? {} : { hint: first.hint }),
    cause: first,
  });
}

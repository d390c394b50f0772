import { definitionId } from "../definitions/resolve.ts";
import { EXIT, PresenceError } from "../errors.ts";
import { martFiles } from "../pipeline/write-mart.ts";
import type { RebuildOptions } from "../plan/rebuild-options.ts";
import { sparkOptions } from "../plan/spark-options.ts";
import { openDate } from "../publish/publish-run.ts";
import { newRunId } from "../publish/run-id.ts";
import { buildDay, type DayContext } from "./build-day.ts";
import { countDay, stageNames } from "./count-day.ts";
import { countOnSpark } from "./count-on-spark.ts";
import { bytesOf, hourName } from "./day-plan.ts";
import { inOrder, isWorthCountingAhead, type Place } from "./days-ahead.ts";
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

/**
 * Builds and publishes the days in their order; the next may be counted meanwhile. Of named days, one that cannot be built stops the
 * run before the next.
 */
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
  await withCounting(plan, options, effects, (counting, isStaged) => {
    const { toBuild } = plan;
    const isAhead = (index: number) =>
      !isStaged && isWorthCountingAhead(options, toBuild[index - 1]!.day, toBuild[index]!.day);
    const work = (index: number, place: Place) => {
      const dayRunId = `${runId}-${toBuild[index]!.day.window.day}`;
      const context = { options, store, runId: dayRunId, count: counting(dayRunId), ...place };
      return buildDay(toBuild[index]!, plan, context);
    };
    return inOrder(toBuild.length, effects, isAhead, work, (_, outcome) => {
      if (outcome.status === "fulfilled") {
        const { value } = outcome;
        days.push(value);
        effects.progress({ kind: "published", day: value.day, seconds: value.seconds });
        return;
      }
      const { reason } = outcome;
      // A nightly run mends what it can: one bad day must not keep the others waiting.
      if (!options.stale || !isOfOneDay(reason)) throw reason;
      effects.warn(reason.message);
      failures.push(reason);
    });
  });
  if (failures.length > 0) throw failures.length === 1 ? failures[0]! : together(failures);
  return { out: options.out, days };
}

/** Gives `work` the way in which the days of a run are counted: by Spark where the lake lies, else here. */
function withCounting(
  { toBuild }: RebuildPlanning,
  options: RebuildOptions,
  effects: RebuildEffects,
  work: (counting: (runId: string) => DayContext["count"], isStaged: boolean) => Promise<void>,
): Promise<void> {
  if (options.engine === "spark") {
    const spark = options.spark ?? sparkOptions({}, {});
    return work(
      (runId) => (day, folder, told, definitions) =>
        countOnSpark(day, { definitions, options, spark, folder, runId, effects: { ...effects, ...told } }),
      false,
    );
  }
  const days = toBuild.map(({ day }) => day);
  const lake = lakeStore(options.lake, effects);
  const where = { tempDir: options.tempDir, signal: effects.signal };
  return withDays(days, lake, where, (open) =>
    work(
      () => (day, folder, told, definitions) => countDay(open(day), definitions, options, folder, told),
      lake.stage !== null,
    ),
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

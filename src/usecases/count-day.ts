import type { Definition } from "../definitions/definition.ts";
import { DayEngine, IdCollision } from "../engine/duckdb/day-engine.ts";
import { DuckDbSession } from "../engine/duckdb/session.ts";
import { EXIT, PresenceError } from "../errors.ts";
import type { BadFile } from "../lake/bad-file.ts";
import { lakeFiles } from "../lake/lake-files.ts";
import { probeFiles } from "../lake/probe.ts";
import type { ProbedFile, RunSql } from "../lake/probed-file.ts";
import { findUnreadable } from "../lake/read-errors.ts";
import { assertUnchanged } from "../lake/recheck.ts";
import { assertChecks } from "../pipeline/checks.ts";
import { type DaySummary, readSummary } from "../pipeline/day-summary.ts";
import { columnStates, coverageTables, eventTypes, inputTables } from "../pipeline/inputs.ts";
import { runStages, type StepProfile } from "../pipeline/run-day.ts";
import { stages } from "../pipeline/stages.ts";
import { MART_TABLES } from "../pipeline/tables.ts";
import { type Usage, UsageMeter } from "../pipeline/usage-meter.ts";
import { type MartFile, martFiles, writeMart } from "../pipeline/write-mart.ts";
import { utcHours } from "../plan/days.ts";
import type { RebuildOptions } from "../plan/rebuild-options.ts";
import { dayMemoryLimit } from "../plan/resources.ts";
import { engineVersion } from "../versions.ts";
import { badFilesTable, refuseBadFiles } from "./bad-files.ts";
import { bytesOf, type DayPlan } from "./day-plan.ts";
import { incompleteness } from "./incompleteness.ts";
import type { OpenedDay } from "./lake-access.ts";

type Told = "stage" | "step" | "seconds";

/** What a step took, as far as the engine tells; null: it does not. */
export type DayStep = Pick<StepProfile, Told> & { readonly [K in Exclude<keyof StepProfile, Told>]: number | null };

/** A day counted and checked, its files written below the private folder, nothing published. */
export interface CountedDay extends DaySummary {
  readonly good: readonly ProbedFile[];
  readonly bad: readonly BadFile[];
  readonly profile: readonly DayStep[];
  readonly files: readonly MartFile[];
  readonly rows: ReadonlyMap<MartFile, number>;
  /** Name and version of what has counted. */
  readonly engine: string;
}

export interface CountEffects {
  readonly signal: AbortSignal;
  /** Told before each stage; `index` counts from 0. */
  stage(name: string, index: number, of: number): void;
}

/**
 * Counts one day in a session of its own. Bad files fail it (exit 3) or are left out, as the options say; a file whose
 * damage only shows when its pages are read is found then, and the day is counted again without it.
 */
export async function countDay(
  { day, access }: OpenedDay<DayPlan>,
  definitions: readonly Definition[],
  options: RebuildOptions,
  folder: string,
  effects: CountEffects,
): Promise<CountedDay> {
  const unreadable: BadFile[] = [];
  let byText = false;
  for (;;) {
    const session = await DuckDbSession.open({
      folder,
      threads: options.threads,
      memoryLimitBytes: options.memoryLimitBytes ?? dayMemoryLimit(bytesOf(day), options.threads),
      reads: access.paths(day.files),
    });
    const interrupt = () => session.interrupt();
    effects.signal.addEventListener("abort", interrupt);
    try {
      effects.signal.throwIfAborted();
      const left = day.files.filter((file) => !unreadable.some((bad) => bad.relative === file.relative));
      const runSql: RunSql = (sql) => session.rows(sql);
      const probe = await probeFiles(left, options.settings, runSql, access).catch((error: unknown) => {
        throw engineFailure(error);
      });
      const bad = [...unreadable, ...probe.bad].sort((a, b) => (a.relative < b.relative ? -1 : 1));
      refuseBadFiles(bad, options);
      try {
        const input = { day, access, good: probe.good, bad, definitions, options, folder, effects, byText };
        return await countFiles(session, input);
      } catch (error) {
        effects.signal.throwIfAborted();
        if (error instanceof PresenceError) throw error;
        if (error instanceof IdCollision) {
          byText = true;
          continue;
        }
        const found = await findUnreadable(probe.good, options.settings, runSql, access).catch((failure) => {
          throw failure instanceof PresenceError ? failure : engineFailure(error);
        });
        await assertUnchanged(day.files);
        if (found.length === 0) throw engineFailure(error);
        unreadable.push(...found);
        refuseBadFiles(unreadable, options);
      }
    } finally {
      effects.signal.removeEventListener("abort", interrupt);
      await session.close();
    }
  }
}

/** All that a day goes through, in order: the stages below sql/ and what follows them. */
export const stageNames = (settings: RebuildOptions["settings"], definitions: readonly Definition[]): string[] => [
  ...stages(settings, definitions).map(({ name }) => name),
  "checks",
  "writing",
];

interface CountInput extends OpenedDay<DayPlan> {
  readonly good: readonly ProbedFile[];
  readonly bad: readonly BadFile[];
  readonly definitions: readonly Definition[];
  readonly options: RebuildOptions;
  readonly folder: string;
  readonly effects: CountEffects;
  /** See DayInput. */
  readonly byText: boolean;
}

/** What checks, tables and counts read when the stages have run. */
const READ_AT_LAST = [
  ...MART_TABLES.map(({ name }) => name),
  "owned_verdicts",
  "event_counts",
  "reason_counts",
  "metric_counts",
  "damaged_sessions",
];

async function countFiles(session: DuckDbSession, input: CountInput): Promise<CountedDay> {
  const { day, access, good, bad, definitions, options, folder, effects, byText } = input;
  const engine = new DayEngine(session, {
    byText,
    lake: lakeFiles(good, options.settings, access),
    tables: [
      ...inputTables(options.settings, day.window, definitions),
      ...coverageTables(day.window, ownHours(day), incompleteness(day, bad).length === 0),
    ],
    eventTypes: eventTypes(options.settings),
    columnStates: columnStates(definitions),
  });
  await engine.prepare();
  await engine.createTable(badFilesTable(bad));
  const planned = stages(options.settings, definitions);
  const names = stageNames(options.settings, definitions);
  const enter = (name: string) => {
    effects.signal.throwIfAborted();
    effects.stage(name, names.indexOf(name), names.length);
  };
  const profile = await runStages(engine, planned, { onStage: ({ name }) => enter(name), roots: READ_AT_LAST });
  const meter = new UsageMeter(session.spillFolder);
  const closing = (step: string, usage: Usage): StepProfile => ({ stage: step, step, rowsIn: 0, rowsOut: 0, ...usage });
  enter("checks");
  const { result: summary, usage: checking } = await meter.during(() => readSummary(session));
  assertChecks(day.window.day, summary.checks);
  enter("writing");
  const files = martFiles(day.window.day, definitions);
  const { result: rows, usage: writing } = await meter.during(() => writeMart(session, files, folder));
  profile.push(closing("checks", checking), closing("writing", writing));
  await assertUnchanged(day.files);
  return { good, bad, ...summary, profile, files, rows, engine: engineVersion() };
}

/** The day's own UTC hours that the lake has. */
export function ownHours({ window, missingHours }: DayPlan): number[] {
  return utcHours(window.startMs, window.endMs).filter((hour) => !missingHours.includes(hour));
}

/** What DuckDB cannot do for want of memory or disk, in the user's words; anything else as it is. */
function engineFailure(error: unknown): unknown {
  const message = error instanceof Error ? error.message : String(error);
  if (/out of memory/i.test(message)) {
    return new PresenceError(EXIT.unexpected, `the memory limit is too small: ${message.split("\n", 1)[0]}`, {
      hint: "Allow more with --memory-limit, or use fewer --threads. Nothing was published.",
      cause: error,
    });
  }
  if (/no space left|max_temp_directory_size/i.test(message)) {
    return new PresenceError(EXIT.unexpected, `no space left for temporary data: ${message.split("\n", 1)[0]}`, {
      hint: "Free space, or point --temp-dir to a larger disk. Nothing was published.",
      cause: error,
    });
  }
  return error;
}

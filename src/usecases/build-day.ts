import { join } from "node:path";
import type { Definition } from "../definitions/definition.ts";
import { definitionId } from "../definitions/resolve.ts";
import { EXIT, PresenceError } from "../errors.ts";
import { RULES } from "../pipeline/rules.ts";
import type { RebuildOptions } from "../plan/rebuild-options.ts";
import { type Commit, EVENTS, type Part, readHead } from "../publish/commit.ts";
import type { Committed } from "../publish/commit-date.ts";
import { checkMart, fixMart } from "../publish/mart-identity.ts";
import { fingerprint, type OutputFile } from "../publish/output-file.ts";
import { withPrivateFolder } from "../publish/private-folder.ts";
import { type FinishedRun, publishRun } from "../publish/publish-run.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import type { CountEffects, CountedDay } from "./count-day.ts";
import { inputsFingerprint } from "./day-inputs.ts";
import { dayManifest, metricResults } from "./day-manifest.ts";
import { bytesOf, type DayPlan, type RunPlan } from "./day-plan.ts";
import { incompleteness } from "./incompleteness.ts";
import { identityOf, storedDefinition } from "./mart-access.ts";
import type { DayResult, RebuildEffects } from "./rebuild-result.ts";
import { dayWarnings, quarantinedShare } from "./warnings.ts";

export interface DayContext {
  readonly options: RebuildOptions;
  readonly effects: RebuildEffects;
  readonly store: ObjectStore;
  readonly runId: string;
  /** Counts and checks a day, and leaves its files below the private folder. */
  readonly count: (
    day: DayPlan,
    folder: string,
    effects: CountEffects,
    definitions: readonly Definition[],
  ) => Promise<CountedDay>;
  /** The last commit that the run saw, where that was some time ago. */
  readonly base?: Commit | null;
  /** Nothing is published before it settles. */
  readonly turn?: Promise<void>;
}

/** A day's counted files, told by size and content. */
export interface DayOutputs {
  readonly outputs: readonly OutputFile[];
  readonly parts: FinishedRun["parts"];
}

/** Counts, checks and publishes one day. */
export async function buildDay(
  target: { readonly day: DayPlan; readonly definitions: readonly Definition[] },
  plan: Pick<RunPlan, "oddities">,
  context: DayContext,
): Promise<DayResult> {
  const { options, effects, store, runId } = context;
  const { day, definitions } = target;
  const started = performance.now();
  const date = day.window.day;
  const base = context.base === undefined ? await readHead(store, date) : context.base;
  effects.progress({ kind: "day", day: date, files: day.files.length, bytes: bytesOf(day) });
  return withPrivateFolder(options.tempDir, async (folder) => {
    const told: CountEffects = {
      signal: effects.signal,
      stage: (stage, index, of) => effects.progress({ kind: "stage", day: date, stage, index: index + 1, of }),
    };
    const counted = await context.count(day, folder, told, definitions);
    refuseQuarantined(date, counted, options.maxQuarantined);
    const because = incompleteness(day, counted.bad);
    const warnings = dayWarnings(date, counted, because);
    for (const warning of warnings) effects.warn(warning);
    const { outputs, parts } = await dayOutputs({ day, definitions, counted, folder, options, runId });
    await context.turn;
    effects.signal.throwIfAborted();
    const seconds = () => (performance.now() - started) / 1000;
    const manifest = dayManifest({
      day,
      definitions,
      oddities: plan.oddities,
      counted,
      outputs,
      because,
      warnings,
      settings: options.settings,
      runId,
      nowMs: effects.nowMs,
      seconds: seconds(),
    });
    const run = {
      date,
      reason: "rebuild" as const,
      runId,
      manifest,
      parts,
      localFile: (path: string) => join(folder, path),
    };
    const { zone, settings } = options;
    const mart = [identityOf(zone, settings), settings.eventTypes, definitions.map(storedDefinition)] as const;
    const committed = await publishRun(store, run, base, effects.nowMs, async () => {
      effects.signal.throwIfAborted();
      await fixMart(store, ...mart);
    });
    // Another run may have made the mart meanwhile, with all of this in it but under another zone.
    if (committed === null) await checkMart(store, ...mart);
    return {
      day: date,
      runId,
      ...outcome(committed),
      zone: options.zone,
      lengthMs: day.window.endMs - day.window.startMs,
      complete: because.length === 0,
      incompleteBecause: because,
      files: counted.good.length,
      bytes: bytesOf(day),
      badFiles: counted.bad.map(({ relative, reason, detail }) => ({ path: relative, reason, detail })),
      events: counted.events,
      metrics: metricResults(definitions, counted),
      warnings,
      seconds: seconds(),
      profile: counted.profile,
    };
  });
}

export interface OutputsInput {
  readonly day: DayPlan;
  readonly definitions: readonly Definition[];
  readonly counted: CountedDay;
  readonly folder: string;
  readonly options: Pick<RebuildOptions, "settings">;
  readonly runId: string;
}

/** Sizes and hashes of what a day's counting has written, and to which part each file belongs. */
export async function dayOutputs(input: OutputsInput): Promise<DayOutputs> {
  const { day, definitions, counted, folder, options, runId } = input;
  const files = new Map<string, OutputFile[]>();
  const outputs: OutputFile[] = [];
  for (const file of counted.files) {
    const rows = counted.rows.get(file) ?? 0;
    const output = { path: file.path, rows, ...(await fingerprint(join(folder, file.path))) };
    const name = file.metricNo === null ? EVENTS : definitionId(definitions[file.metricNo]!);
    files.set(name, [...(files.get(name) ?? []), output]);
    outputs.push(output);
  }
  const shared: Omit<Part, "files" | "manifest"> = {
    run: runId,
    inputs: inputsFingerprint(day),
    rules: RULES,
    eventTypes: options.settings.eventTypes,
    complete: incompleteness(day, counted.bad).length === 0,
  };
  return { outputs, parts: Object.fromEntries([...files].map(([name, list]) => [name, { ...shared, files: list }])) };
}

function outcome(committed: Committed | null): Pick<DayResult, "published" | "commit"> {
  if (committed === null) return { published: "nothing", commit: null };
  return { published: committed.replaced.length > 0 ? "files" : "inputs", commit: committed.commit.number };
}

function refuseQuarantined(day: string, counted: CountedDay, limit: number | null): void {
  const share = quarantinedShare(counted.events);
  if (limit === null || share <= limit) return;
  throw new PresenceError(
    EXIT.check,
    `${day} was not published: ${(share * 100).toFixed(2)} % of its events would be quarantined, more than --max-quarantined allows`,
    { hint: `By reason: ${reasons(counted)}. Look at the lake first; a higher --max-quarantined publishes it.` },
  );
}

const reasons = ({ events }: CountedDay): string =>
  Object.entries(events.quarantined)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(", ");

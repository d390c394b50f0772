import { join } from "node:path";
import type { Definition } from "../definitions/definition.ts";
import { EXIT, PresenceError } from "../errors.ts";
import { inputNotes, manifestInputs } from "../lake/manifest-inputs.ts";
import { RULES } from "../pipeline/rules.ts";
import { stageName } from "../pipeline/run-day.ts";
import { stages } from "../pipeline/stages.ts";
import { martFiles } from "../pipeline/write-mart.ts";
import { timeZoneDataVersion } from "../plan/days.ts";
import type { RebuildOptions } from "../plan/rebuild-options.ts";
import { fingerprint, type OutputFile } from "../publish/output-file.ts";
import { withPrivateFolder } from "../publish/private-folder.ts";
import { publishDay, writeManifest } from "../publish/publish-day.ts";
import { newRunId } from "../publish/run-id.ts";
import { engineVersion, toolVersion } from "../versions.ts";
import { type CountedDay, countDay } from "./count-day.ts";
import { assertBuildable, type DayPlan, hourName, planRun, type RunPlan } from "./day-plan.ts";
import { incompleteness } from "./incompleteness.ts";
import type { DayResult, RebuildEffects, RebuildPlan, RebuildResult } from "./rebuild-result.ts";
import { dayWarnings, oddityWarnings, quarantinedShare } from "./warnings.ts";

/** What a run would read, compute and write; nothing is read but names. */
export async function planRebuild(options: RebuildOptions, effects: RebuildEffects): Promise<RebuildPlan> {
  const plan = await planRun(options, effects.nowMs);
  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    zone: options.zone,
    lake: options.lake,
    out: options.out,
    definitions: plan.definitions.map(({ name, version, online, hash }) => ({ metric: name, version, online, hash })),
    days: plan.days.map((day) => ({
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
      stages: stages(options.settings).map(stageName),
      outputs: martFiles(day.window.day, plan.definitions).map(({ path }) => path),
    })),
  };
}

/** Builds and publishes the days, one after the other; a day that cannot be built stops the run before the next. */
export async function rebuild(options: RebuildOptions, effects: RebuildEffects): Promise<RebuildResult> {
  const plan = await planRun(options, effects.nowMs);
  for (const day of plan.days) assertBuildable(day, options);
  effects.progress({
    kind: "plan",
    days: plan.days.length,
    definitions: plan.definitions.map(({ name, version }) => `${name}@${version}`),
    files: new Set(plan.days.flatMap(({ files }) => files.map(({ relative }) => relative))).size,
  });
  for (const warning of oddityWarnings(plan.oddities)) effects.warn(warning);
  const runId = newRunId(effects.nowMs);
  const days: DayResult[] = [];
  for (const day of plan.days) {
    const started = performance.now();
    const result = await withPrivateFolder(options.tempDir, (folder) =>
      buildDay(day, plan, { options, effects, folder, runId: `${runId}-${day.window.day}`, started }),
    );
    days.push(result);
    effects.progress({ kind: "published", day: result.day, seconds: result.seconds });
  }
  return { out: options.out, days };
}

interface DayContext {
  readonly options: RebuildOptions;
  readonly effects: RebuildEffects;
  readonly folder: string;
  readonly runId: string;
  readonly started: number;
}

async function buildDay(day: DayPlan, plan: RunPlan, context: DayContext): Promise<DayResult> {
  const { options, effects, folder, runId, started } = context;
  const name = day.window.day;
  effects.progress({ kind: "day", day: name, files: day.files.length, bytes: bytesOf(day) });
  const counted = await countDay(day, plan.definitions, options, folder, {
    signal: effects.signal,
    stage: (stage, index, of) =>
      effects.progress({ kind: "stage", day: name, stage: stageName(stage), index: index + 1, of }),
  });
  refuseQuarantined(name, counted, options.maxQuarantined);
  const outputs: OutputFile[] = [];
  for (const file of counted.files) {
    outputs.push({
      path: file.path,
      rows: counted.rows.get(file) ?? 0,
      ...(await fingerprint(join(folder, file.path))),
    });
  }
  const because = incompleteness(day, counted.bad);
  const warnings = dayWarnings(name, counted, because);
  for (const warning of warnings) effects.warn(warning);
  effects.signal.throwIfAborted();
  const manifest = dayManifest({ day, plan, counted, outputs, because, warnings, context });
  await writeManifest(options.out, runId, manifest);
  await publishDay(folder, options.out, runId, outputs);
  return {
    day: name,
    runId,
    zone: options.zone,
    lengthMs: day.window.endMs - day.window.startMs,
    complete: because.length === 0,
    incompleteBecause: because,
    files: counted.good.length,
    bytes: bytesOf(day),
    badFiles: counted.bad.map(({ relative, reason, detail }) => ({ path: relative, reason, detail })),
    events: counted.events,
    metrics: metricResults(plan.definitions, counted),
    warnings,
    seconds: (performance.now() - started) / 1000,
  };
}

interface ManifestInput {
  readonly day: DayPlan;
  readonly plan: RunPlan;
  readonly counted: CountedDay;
  readonly outputs: readonly OutputFile[];
  readonly because: readonly string[];
  readonly warnings: readonly string[];
  readonly context: DayContext;
}

function dayManifest({ day, plan, counted, outputs, because, warnings, context }: ManifestInput): object {
  const { options, runId, effects, started } = context;
  return {
    run_id: runId,
    created_at: new Date(effects.nowMs).toISOString(),
    tool: toolVersion(),
    engine: engineVersion(),
    rules: RULES,
    time_zone_data: timeZoneDataVersion(),
    window: day.window,
    read_window: day.readWindow,
    settings: options.settings,
    definitions: plan.definitions.map(({ expression: _, states, ...rest }) => ({
      ...rest,
      states: Object.fromEntries(states),
    })),
    complete: because.length === 0,
    incomplete_because: because,
    missing_hours: day.missingHours.map(hourName),
    missing_margin_hours: day.missingMarginHours.map(hourName),
    inputs: manifestInputs(counted.good),
    input_notes: inputNotes(counted.good, plan.oddities),
    bad_files: counted.bad,
    events: counted.events,
    metrics: metricResults(plan.definitions, counted),
    damaged_sessions: counted.damaged,
    warnings,
    checks: counted.checks,
    outputs,
    seconds: (performance.now() - started) / 1000,
    stages: counted.profile,
  };
}

function metricResults(definitions: readonly Definition[], counted: CountedDay): DayResult["metrics"] {
  return counted.metrics.map((counts, metricNo) => ({
    metric: definitions[metricNo]!.name,
    version: definitions[metricNo]!.version,
    ...counts,
  }));
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

const bytesOf = (day: DayPlan): number => day.files.reduce((sum, { bytes }) => sum + bytes, 0);

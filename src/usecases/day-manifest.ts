import type { Definition } from "../definitions/definition.ts";
import type { Oddity } from "../lake/listing.ts";
import { inputNotes, manifestInputs } from "../lake/manifest-inputs.ts";
import { RULES } from "../pipeline/rules.ts";
import { timeZoneDataVersion } from "../plan/days.ts";
import type { LakeSettings } from "../plan/settings.ts";
import type { OutputFile } from "../publish/output-file.ts";
import { toolVersion } from "../versions.ts";
import type { CountedDay } from "./count-day.ts";
import { type BuiltInputs, listedInputs } from "./day-inputs.ts";
import { type DayPlan, hourName } from "./day-plan.ts";
import { storedDefinition } from "./mart-access.ts";
import type { DayResult } from "./rebuild-result.ts";

export interface ManifestInput {
  readonly day: DayPlan;
  readonly definitions: readonly Definition[];
  readonly oddities: readonly Oddity[];
  readonly counted: CountedDay;
  readonly outputs: readonly OutputFile[];
  readonly because: readonly string[];
  readonly warnings: readonly string[];
  readonly settings: LakeSettings;
  readonly runId: string;
  readonly nowMs: number;
  readonly seconds: number;
}

/** What verify and status read of a manifest; the rest is for people. */
export interface RunManifest extends BuiltInputs {
  readonly run_id: string;
  /** Name and version: `duckdb 1.5.6`, `spark 4.3.0`. */
  readonly engine: string;
  readonly events: CountedDay["events"];
  readonly outputs: readonly OutputFile[];
}

/** Everything that a run's numbers depend on, and what it came to. */
export function dayManifest(input: ManifestInput): RunManifest {
  const { day, definitions, oddities, counted, outputs, because, warnings } = input;
  const listed = new Map(listedInputs(day).map((file) => [file.path, file]));
  const manifest = {
    run_id: input.runId,
    created_at: new Date(input.nowMs).toISOString(),
    tool: toolVersion(),
    engine: counted.engine,
    rules: RULES,
    time_zone_data: timeZoneDataVersion(),
    window: day.window,
    read_window: day.readWindow,
    settings: input.settings,
    definitions: definitions.map(storedDefinition),
    complete: because.length === 0,
    incomplete_because: because,
    unfinished: day.unfinished,
    missing_hours: day.missingHours.map(hourName),
    missing_margin_hours: day.missingMarginHours.map(hourName),
    inputs: manifestInputs(counted.good),
    input_notes: inputNotes(counted.good, oddities),
    bad_files: counted.bad.map(({ relative, bytes, reason, detail }) => ({
      mtime: "",
      ...listed.get(relative),
      path: relative,
      bytes,
      reason,
      detail,
    })),
    events: counted.events,
    metrics: metricResults(definitions, counted),
    damaged_sessions: counted.damaged,
    warnings,
    checks: counted.checks,
    outputs,
    seconds: input.seconds,
    stages: counted.profile,
  };
  return manifest;
}

/** A definition's totals under its name, in the order of the run's definitions. */
export function metricResults(definitions: readonly Definition[], counted: CountedDay): DayResult["metrics"] {
  return counted.metrics.map((counts, metricNo) => ({
    metric: definitions[metricNo]!.name,
    version: definitions[metricNo]!.version,
    ...counts,
  }));
}

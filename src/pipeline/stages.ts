import type { Definition } from "../definitions/definition.ts";
import type { EngineTask, Keep } from "../engine/engine.ts";
import type { LakeSettings } from "../plan/settings.ts";

/** One step of a stage: a file below sql/, or a task of the engine. */
export type Step =
  | { readonly kind: "sql"; readonly relation: string; readonly file: string; readonly keep: Keep }
  | { readonly kind: "engine"; readonly task: EngineTask; readonly relations: readonly string[] };

/** Steps that belong together: a folder below sql/. */
export interface Stage {
  readonly name: string;
  readonly steps: readonly Step[];
}

const sql = (file: string, relation = nameOf(file)) => ({ kind: "sql", relation, file }) as const;
const table = (file: string, relation?: string): Step => ({ ...sql(file, relation), keep: "table" });
const view = (file: string, relation?: string): Step => ({ ...sql(file, relation), keep: "view" });
const engine = (task: EngineTask, ...relations: string[]): Step => ({ kind: "engine", task, relations });

const nameOf = (file: string): string => file.slice(file.lastIndexOf("/") + 1);

const stage = (name: string, steps: readonly Step[]): Stage => ({ name, steps });

/** What of the definitions decides which steps have anything to do. */
export type StageDefinition = Pick<Definition, "states" | "devices" | "lateUpload">;

/** The stages of one day, from the lake's rows to the tables. */
export function stages(
  settings: Pick<LakeSettings, "sequence">,
  definitions: readonly StageDefinition[],
): readonly Stage[] {
  const tableIf = (needed: boolean, file: string): Step => ({ ...sql(file), keep: needed ? "table" : "empty" });
  const ownStates = definitions.some(({ states }) => states.size > 0);
  const latestDevice = definitions.some(({ devices }) => devices === "latest");
  const compensates = definitions.some(({ lateUpload }) => lateUpload === "compensate");
  const byArrival = settings.sequence === "arrival";
  const ties = engine("tied-ids", "tied_ids");
  return [
    stage("readings", [
      engine("read", "raw_events"),
      view("10_readings/readings"),
      engine("key", "identities", "events", "rejected_readings", "readings_seen"),
      table("10_readings/owned_readings"),
    ]),
    stage("duplicates", [
      engine("repeated-events", "repeated_events"),
      table("20_duplicates/duplicate_events"),
      table("20_duplicates/reaching_sessions"),
      view("20_duplicates/distinct_events"),
      ...(byArrival ? [table("20_duplicates/arrival_ties", "tied_events"), ties] : []),
      table(byArrival ? "20_duplicates/arrival_sequence" : "20_duplicates/column_sequence", "sequenced_events"),
    ]),
    stage("identity", [
      table("30_identity/repeating_events"),
      ...(byArrival ? [] : [table("30_identity/sequence_ties", "tied_events"), ties]),
      table("30_identity/duplicate_sequences"),
      table("30_identity/claimed_sessions"),
      table("30_identity/session_owners"),
      table("30_identity/identity_conflicts"),
      view("30_identity/claimed_events"),
    ]),
    stage("order", [
      table("40_order/epochs"),
      table("40_order/fences"),
      table("40_order/stale_events"),
      view("40_order/current_events"),
      table("40_order/timeouts"),
      table("40_order/landmarks"),
      table("40_order/crowded_epochs"),
      table("40_order/delays"),
      table("40_order/suspect_epochs"),
      table("40_order/suspect_events"),
      table("40_order/ordered_events"),
      table("40_order/moved_events"),
      table("40_order/event_verdicts"),
      view("40_order/accepted_events"),
    ]),
    stage("timing", [
      tableIf(compensates, "50_timing/compensated_times"),
      view(compensates ? "50_timing/timed_events" : "50_timing/arrival_times", "timed_events"),
      engine("state-values", "state_values"),
    ]),
    stage("points", [
      table("60_points/point_bounds"),
      tableIf(latestDevice, "60_points/kept_whole_sessions"),
      tableIf(ownStates, "60_points/state_events"),
      view("60_points/signals"),
      table("60_points/idles"),
      view("60_points/neighbours"),
      table("60_points/turning_points"),
      table("60_points/points"),
      table("60_points/session_attributes"),
    ]),
    stage("online", [
      tableIf(ownStates, "70_online/own_states"),
      tableIf(latestDevice, "70_online/device_cuts"),
      table("70_online/slots"),
      table("70_online/interactions"),
      table("70_online/activity"),
      table("70_online/online_pieces"),
      table("70_online/session_spans"),
      table("70_online/overlong_sessions"),
      table("70_online/counted_spans"),
    ]),
    stage("day", [
      table("80_day/day_spans"),
      table("80_day/user_spans"),
      table("80_day/session_ends"),
      table("80_day/user_daily"),
      table("80_day/session_daily"),
      table("80_day/user_intervals"),
      table("80_day/session_intervals"),
      table("80_day/device_daily"),
      table("80_day/summary_groups"),
      table("80_day/session_groups"),
      table("80_day/summary_spans"),
      table("80_day/summary_users"),
      table("80_day/summary_peaks"),
      table("80_day/daily_summary"),
      table("80_day/minute_online"),
      table("80_day/quarantined_sessions"),
      table("80_day/owned_verdicts"),
      engine("rejected-rows", "rejected_rows"),
      table("80_day/quarantined_events"),
      table("80_day/event_counts"),
      table("80_day/reason_counts"),
      table("80_day/metric_counts"),
      table("80_day/damaged_sessions"),
    ]),
  ];
}

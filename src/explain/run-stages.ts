import type { Definition } from "../definitions/definition.ts";
import { DayEngine } from "../engine/duckdb/day-engine.ts";
import type { DuckDbSession } from "../engine/duckdb/session.ts";
import type { LakeFiles } from "../engine/engine.ts";
import { columnStates, eventTypes, inputTables } from "../pipeline/inputs.ts";
import { loadSql } from "../pipeline/sql-files.ts";
import { type Step, stages } from "../pipeline/stages.ts";
import type { DayWindow } from "../plan/day-window.ts";
import type { LakeSettings } from "../plan/settings.ts";

/** What the stages are run for, besides the rows. */
export interface CountedBy {
  readonly settings: LakeSettings;
  readonly window: DayWindow;
  readonly definitions: readonly Definition[];
}

/** Relations that are not told of: of the day's whole population, or the mart's tables of sessions, made of what is told. */
const NOT_TOLD = new Set([
  "session_daily",
  "session_intervals",
  "user_intervals",
  "quarantined_sessions",
  "device_daily",
  "summary_groups",
  "session_groups",
  "summary_spans",
  "summary_users",
  "summary_peaks",
  "daily_summary",
  "minute_online",
  "owned_verdicts",
  "quarantined_events",
  "event_counts",
  "reason_counts",
  "metric_counts",
  "damaged_sessions",
  "owned_readings",
]);

/** A rebuild leaves out events that repeat their predecessor; here every accepted event is to have its slot. */
const EVERY_EVENT_A_POINT = "select distinct i.session_no from identities i";

/** Runs the stages of a rebuild, the very same SQL, over the rows of `lake`. */
export async function runUserStages(session: DuckDbSession, lake: LakeFiles, by: CountedBy): Promise<void> {
  const engine = new DayEngine(session, {
    lake,
    tables: inputTables(by.settings, by.window, by.definitions, "all"),
    eventTypes: eventTypes(by.settings),
    columnStates: columnStates(by.definitions),
    byText: true,
  });
  await engine.prepare();
  for (const step of stages(by.settings, by.definitions)
    .flatMap(({ steps }) => steps)
    .filter(isTold)) {
    if (step.kind === "engine") await engine.perform(step.task);
    else if (step.relation === "kept_whole_sessions") await engine.create(step.relation, EVERY_EVENT_A_POINT, "table");
    else await engine.create(step.relation, loadSql(step.file), step.keep);
  }
}

const isTold = (step: Step): boolean =>
  step.kind === "sql" ? !NOT_TOLD.has(step.relation) : step.task !== "rejected-rows";

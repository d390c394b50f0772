import type { Definition } from "../definitions/definition.ts";
import { DayEngine } from "../engine/duckdb/day-engine.ts";
import type { DuckDbSession } from "../engine/duckdb/session.ts";
import type { LakeFiles } from "../engine/engine.ts";
import { EVERY_EVENT_A_POINT } from "../pipeline/every-event.ts";
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
    else await makeRelation(engine, step);
  }
}

function makeRelation(engine: DayEngine, { relation, file, keep }: Extract<Step, { kind: "sql" }>): Promise<number> {
  const [own, other] = [loadSql(file), EVERY_EVENT_A_POINT[relation]];
  return other ? engine.create(relation, other(own), "table") : engine.create(relation, own, keep);
}

const isTold = (step: Step): boolean =>
  step.kind === "sql" ? !NOT_TOLD.has(step.relation) : step.task !== "rejected-rows";

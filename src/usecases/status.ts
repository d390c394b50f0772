import { definitionId } from "../definitions/resolve.ts";
import type { DayRequest } from "../plan/days.ts";
import { planDays } from "./day-plan.ts";
import { type DayState, isToBuild, type Judgement, type StaleReason } from "./day-state.ts";
import { type MartEffects, martStore } from "./mart-access.ts";
import { type MartView, openMart } from "./open-mart.ts";
import { type RollupRow, rollupStates } from "./rollup-states.ts";
import { type SurveyedDay, survey } from "./survey.ts";

export interface StatusOptions extends MartView {
  readonly lake: string;
  readonly days: DayRequest;
}

export interface StatusRow {
  readonly day: string;
  readonly metric: string;
  readonly version: number;
  readonly state: DayState;
  readonly reasons: readonly StaleReason[];
  /** What of the input has changed since: paths below the lake, UTC hours; empty where nothing has. */
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly hours: readonly string[];
  /** It was built before the day was over, which it is now. */
  readonly nowOver: boolean;
  /** Null where it was never built. */
  readonly run: string | null;
  readonly commit: number | null;
  /** Whether `rebuild --stale` builds it. */
  readonly toBuild: boolean;
}

export interface StatusResult {
  readonly out: string;
  readonly lake: string;
  readonly zone: string;
  readonly rows: readonly StatusRow[];
  /** Published weeks and months that share a day with these. */
  readonly rollups: readonly RollupRow[];
  /** Rows to build, and half-published ones, which the next run mends; rollups, too. */
  readonly toDo: number;
}

/** How each day stands under each definition. Reads names of the lake and the mart's truth; writes nothing. */
export async function status(options: StatusOptions, effects: MartEffects): Promise<StatusResult> {
  const store = martStore(options.out, effects);
  const { zone, settings, definitions } = await openMart(store, options);
  const plan = await planDays({ days: options.days, zone, settings, lake: options.lake }, effects);
  const surveyed = await survey(store, plan.days, definitions, settings.eventTypes);
  const rows = surveyed.flatMap((day) =>
    day.definitions.map(({ definition, judgement }) => row(day, definition, judgement)),
  );
  const ids = new Set(definitions.map(definitionId));
  const rollups = (
    await rollupStates(
      store,
      plan.days.map(({ window }) => window.day),
    )
  ).filter(({ metric, version }) => ids.has(definitionId({ name: metric, version })));
  const waiting = rollups.filter(({ state }) => state === "stale" || state === "half-published");
  return {
    out: options.out,
    lake: options.lake,
    zone,
    rows,
    rollups,
    toDo: rows.filter(({ toBuild, state }) => toBuild || state === "half-published").length + waiting.length,
  };
}

function row(
  { day, head }: SurveyedDay<{ name: string; version: number }>,
  definition: { readonly name: string; readonly version: number },
  judgement: Judgement,
): StatusRow {
  const part = head?.parts[definitionId(definition)];
  const { state, reasons, changes } = judgement;
  return {
    day: day.window.day,
    metric: definition.name,
    version: definition.version,
    state,
    reasons,
    added: changes?.added ?? [],
    changed: changes?.changed ?? [],
    removed: changes?.removed ?? [],
    hours: changes?.hours ?? [],
    nowOver: changes?.nowOver ?? false,
    run: part?.run ?? null,
    commit: part === undefined ? null : (head?.number ?? null),
    toBuild: isToBuild(judgement),
  };
}

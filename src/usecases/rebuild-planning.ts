import type { Definition } from "../definitions/definition.ts";
import { inputError, PresenceError } from "../errors.ts";
import type { RebuildOptions } from "../plan/rebuild-options.ts";
import { checkMart } from "../publish/mart-identity.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { assertBuildable, type DayPlan, planDays, planDefinitions, type RunPlan } from "./day-plan.ts";
import { isToBuild, type Judgement } from "./day-state.ts";
import { identityOf, type MartEffects, storedDefinition } from "./mart-access.ts";
import { type SurveyedDay, survey } from "./survey.ts";

/** A day that a run builds, and what for. */
export interface DayToBuild {
  readonly day: DayPlan;
  readonly definitions: readonly Definition[];
  readonly why: ReadonlyMap<Definition, Judgement>;
}

export interface RebuildPlanning extends RunPlan {
  readonly definitions: readonly Definition[];
  readonly toBuild: readonly DayToBuild[];
  /** Why days of `--stale` that would have to be built cannot be. */
  readonly refused: readonly PresenceError[];
}

/**
 * What a run would do. `open` is called for each date before the mart is looked at, where the run may mend it; a dry run does not.
 */
export async function planRebuilding(
  options: RebuildOptions,
  effects: Pick<MartEffects, "nowMs" | "s3" | "openLake">,
  store: ObjectStore,
  open: (date: string) => Promise<unknown> = async () => null,
): Promise<RebuildPlanning> {
  const definitions = planDefinitions(options);
  const { zone, settings } = options;
  await checkMart(store, identityOf(zone, settings), settings.eventTypes, definitions.map(storedDefinition));
  const plan = await planDays(options, effects);
  for (const day of plan.days) await open(day.window.day);
  const surveyed = await survey(store, plan.days, definitions, settings.eventTypes);
  const { toBuild, refused } = options.stale
    ? staleDays(surveyed, options)
    : namedDays(surveyed, options, plan.oddities);
  return { ...plan, definitions, toBuild, refused };
}

function namedDays(
  surveyed: readonly SurveyedDay<Definition>[],
  options: RebuildOptions,
  oddities: RunPlan["oddities"],
) {
  for (const { day, definitions } of surveyed) {
    if (!options.force) for (const { judgement } of definitions) refuseGone(day, judgement);
    assertBuildable(day, options, oddities);
  }
  return { toBuild: surveyed.map((found) => dayToBuild(found, () => true)), refused: [] };
}

function staleDays(surveyed: readonly SurveyedDay<Definition>[], options: RebuildOptions) {
  const refused: PresenceError[] = [];
  // What is half-published even after the date was mended is damaged in its run, too.
  const wanted = (judgement: Judgement) =>
    isToBuild(judgement) ||
    judgement.state === "half-published" ||
    (options.allowUnfinished && judgement.state === "unfinished");
  const toBuild = surveyed
    .map((found) => dayToBuild(found, wanted))
    .filter(({ day, definitions }) => {
      if (definitions.length === 0) return false;
      try {
        assertBuildable(day, options);
        return true;
      } catch (error) {
        if (!(error instanceof PresenceError)) throw error;
        refused.push(error);
        return false;
      }
    });
  return { toBuild, refused };
}

function dayToBuild(
  { day, definitions }: SurveyedDay<Definition>,
  wanted: (judgement: Judgement) => boolean,
): DayToBuild {
  const chosen = definitions.filter(({ judgement }) => wanted(judgement));
  return {
    day,
    definitions: chosen.map(({ definition }) => definition),
    why: new Map(chosen.map(({ definition, judgement }) => [definition, judgement])),
  };
}

function refuseGone({ window }: DayPlan, { state, changes }: Judgement): void {
  if (state !== "source gone" || changes === null) return;
  const more = changes.gone.length > 1 ? `, … (${changes.gone.length} in all)` : "";
  throw inputError(
    `${window.day} was built from files that the lake no longer has: ${changes.gone[0]}${more}`,
    "Its result stays as it is. To count it anew from what is left, add --force.",
  );
}

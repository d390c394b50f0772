import type { Definition } from "../definitions/definition.ts";
import { definitionId } from "../definitions/resolve.ts";
import { type Commit, EVENTS, readHead } from "../publish/commit.ts";
import { isPublished, looksPublished } from "../publish/converge.ts";
import { readJson } from "../publish/json-object.ts";
import { manifestKey } from "../publish/keys.ts";
import { markedDates } from "../publish/publishing-mark.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import type { BuiltInputs } from "./day-inputs.ts";
import type { DayPlan } from "./day-plan.ts";
import { type Judgement, judge } from "./day-state.ts";

type DefinitionKey = Pick<Definition, "name" | "version">;

/** A planned day as the mart has it. */
export interface SurveyedDay<D extends DefinitionKey> {
  readonly day: DayPlan;
  readonly head: Commit | null;
  readonly definitions: readonly { readonly definition: D; readonly judgement: Judgement }[];
}

/** How each day stands under each definition. Reads the mart's commits and manifests, and writes nothing. */
export async function survey<D extends DefinitionKey>(
  store: ObjectStore,
  days: readonly DayPlan[],
  definitions: readonly D[],
  eventTypes: readonly string[],
): Promise<SurveyedDay<D>[]> {
  const marked = await markedDates(store);
  const manifests = new Map<string, Promise<BuiltInputs | null>>();
  const surveyed: SurveyedDay<D>[] = [];
  for (const day of days) {
    const date = day.window.day;
    const head = await readHead(store, date);
    const published = head === null || (await isWhole(store, head, marked.has(date)));
    const judged = [];
    for (const definition of definitions) {
      const judgement = await judge({
        day,
        part: head?.parts[definitionId(definition)],
        events: head?.parts[EVENTS],
        eventTypes,
        published,
        builtInputs: ({ run }) => {
          const manifest = manifests.get(run) ?? readJson<BuiltInputs>(store, manifestKey(run));
          manifests.set(run, manifest);
          return manifest;
        },
      });
      judged.push({ definition, judgement });
    }
    surveyed.push({ day, head, definitions: judged });
  }
  return surveyed;
}

/** A date that carries a mark is compared byte by byte: a crash leaves files of the right size, too. */
async function isWhole(store: ObjectStore, head: Commit, marked: boolean): Promise<boolean> {
  if (!(await looksPublished(store, head))) return false;
  if (!marked) return true;
  for (const file of Object.values(head.parts).flatMap(({ files }) => files)) {
    if (!(await isPublished(store, file))) return false;
  }
  return true;
}

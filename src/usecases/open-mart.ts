import type { Definition } from "../definitions/definition.ts";
import { inputError, usageError } from "../errors.ts";
import { DEFAULT_METRICS } from "../plan/rebuild-options.ts";
import { DEFAULT_SETTINGS, type LakeSettings } from "../plan/settings.ts";
import { checkMart, readMart } from "../publish/mart-identity.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { planDefinitions } from "./day-plan.ts";
import { identityOf, settingsOf, storedDefinition } from "./mart-access.ts";
import { martDefinitions } from "./mart-definitions.ts";

/** What a command that looks at a mart needs to know of it, and may leave to the mart. */
export interface MartView {
  readonly out: string;
  /** Null for the mart's own. */
  readonly zone: string | null;
  /** Names or files; null for all that the mart has. */
  readonly metrics: readonly string[] | null;
  /** Types that the mart may not know yet. */
  readonly eventTypes: readonly string[];
}

export interface OpenedMart {
  readonly zone: string;
  readonly settings: LakeSettings;
  readonly definitions: readonly Definition[];
}

/** Opens a mart as it says itself that it is. Where there is none yet, options and defaults tell what it would be. */
export async function openMart(store: ObjectStore, view: MartView): Promise<OpenedMart> {
  const mart = await readMart(store);
  const zone = mart?.identity.zone ?? view.zone;
  if (zone === null) throw noMart(view.out);
  const eventTypes = [...new Set([...(mart?.eventTypes ?? []), ...view.eventTypes])].sort();
  const settings = mart ? settingsOf(mart.identity, eventTypes) : { ...DEFAULT_SETTINGS, eventTypes };
  const kept = view.metrics === null ? await martDefinitions(store) : [];
  const metrics = view.metrics ?? DEFAULT_METRICS;
  const definitions = kept.length > 0 ? kept : planDefinitions({ metrics, settings });
  await checkMart(store, identityOf(view.zone ?? zone, settings), eventTypes, definitions.map(storedDefinition));
  return { zone, settings, definitions };
}

export function noMart(out: string): Error {
  return usageError(`there is no mart in ${out}`, "Build a day first, or give the mart's folder as --out.");
}

/** None of these days, in their order, is in the mart. */
export function noDays(out: string, days: readonly string[]): Error {
  const [first, last] = [days[0]!, days.at(-1)!];
  const one = first === last;
  return inputError(
    `the mart ${out} has no day ${one ? first : `from ${first} to ${last}`}`,
    `Build ${one ? "it" : "them"} first: presence-batch rebuild ${one ? `--date ${first}` : `--from ${first} --to ${last}`}`,
  );
}

import type { Definition } from "../definitions/definition.ts";
import { definitionId, splitMetrics } from "../definitions/resolve.ts";
import { usageError } from "../errors.ts";
import { isDefinitionPath } from "../plan/option-values.ts";
import { DEFAULT_SETTINGS, type LakeSettings } from "../plan/settings.ts";
import { checkMart, readMart } from "../publish/mart-identity.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { planDefinitions } from "./day-plan.ts";
import { identityOf, settingsOf, storedDefinition } from "./mart-access.ts";
import { martDefinitions } from "./mart-definitions.ts";
import { noMart } from "./open-mart.ts";

/** What is asked for; null where it is left to the mart, or to the defaults. */
export interface AskedBasis {
  readonly zone: string | null;
  readonly settings: LakeSettings | null;
  readonly metrics: readonly string[] | null;
}

/** What a number is explained by. */
export interface ExplainBasis {
  readonly zone: string;
  readonly settings: LakeSettings;
  readonly definitions: readonly Definition[];
  readonly settingsFrom: "options" | "mart";
}

const DEFAULT_METRIC = "foreground";

/** Zone, settings and definitions: the mart's own where there is one. What is given besides must agree with it (exit 2). */
export async function explainBasis(store: ObjectStore | null, asked: AskedBasis): Promise<ExplainBasis> {
  const mart = store && (await readMart(store));
  if (store && !mart) throw noMart(store.location);
  const zone = asked.zone ?? mart?.identity.zone;
  if (zone === undefined) {
    throw usageError(
      "--tz is missing: the business time zone has no default",
      "Give the zone (--tz Asia/Shanghai, for example), or the mart as --out.",
    );
  }
  const settings = asked.settings ?? (mart ? settingsOf(mart.identity, mart.eventTypes) : { ...DEFAULT_SETTINGS });
  const kept = store ? await martDefinitions(store) : [];
  const definitions = chosen(asked.metrics, kept, settings);
  if (store && mart) {
    const eventTypes = [...new Set([...settings.eventTypes, ...mart.eventTypes])].sort();
    await checkMart(store, identityOf(zone, settings), eventTypes, definitions.map(storedDefinition));
  }
  return { zone, settings, definitions, settingsFrom: asked.settings || !mart ? "options" : "mart" };
}

/** Names mean the mart's definitions first: a mart may hold definitions whose files are not at hand. */
function chosen(metrics: readonly string[] | null, kept: readonly Definition[], settings: LakeSettings): Definition[] {
  if (metrics === null && kept.length > 0) {
    const usual = kept.filter(({ name }) => name === DEFAULT_METRIC).at(-1);
    return usual ? [usual] : [...kept];
  }
  const definitions = splitMetrics(metrics ?? [DEFAULT_METRIC]).flatMap((metric) => {
    const own = isDefinitionPath(metric)
      ? undefined
      : kept.filter((each) => metric === each.name || metric === definitionId(each)).at(-1);
    return own ? [own] : planDefinitions({ metrics: [metric], settings });
  });
  return [...new Map(definitions.map((definition) => [definitionId(definition), definition])).values()];
}

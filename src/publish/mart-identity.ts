import { type PresenceError, usageError } from "../errors.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { createOnce, jsonText, readJson } from "./json-object.ts";
import { definitionKey, EVENT_TYPES, eventTypesKey, MART_KEY, numberOf } from "./keys.ts";

type Setting = string | number | boolean;

/** What all days of a mart share: one zone and one set of lake settings, but for eventTypes, which may grow. */
export interface MartIdentity {
  readonly zone: string;
  readonly settings: Readonly<Record<string, Setting>>;
}

/** A definition that the mart has days of, as it is kept: its hash decides, the rest is for people and for recomputing. */
export interface KeptDefinition {
  readonly name: string;
  readonly version: number;
  readonly hash: string;
}

/** What the mart says of itself; null where nothing was ever published. */
export interface KnownMart {
  readonly identity: MartIdentity;
  /** The longest list so far. */
  readonly eventTypes: readonly string[];
}

export async function readMart(store: ObjectStore): Promise<KnownMart | null> {
  const identity = await readJson<MartIdentity>(store, MART_KEY);
  if (identity === null) return null;
  return { identity, eventTypes: (await readEventTypes(store)).types };
}

export function readDefinition<T extends KeptDefinition>(store: ObjectStore, id: string): Promise<T | null> {
  return readJson<T>(store, definitionKey(id));
}

/** Throws exit 2 where a run of this identity and these definitions does not belong into the mart. Reads only. */
export async function checkMart(
  store: ObjectStore,
  identity: MartIdentity,
  eventTypes: readonly string[],
  definitions: readonly KeptDefinition[],
): Promise<void> {
  const mart = await readMart(store);
  if (mart !== null) {
    refuseOtherIdentity(store, identity, mart.identity);
    refuseFewerTypes(store, eventTypes, mart.eventTypes);
  }
  for (const definition of definitions) await refuseOtherMeaning(store, definition);
}

/** Fixes what `checkMart` has checked. Each is created exclusively: of two first runs, one decides. */
export async function fixMart(
  store: ObjectStore,
  identity: MartIdentity,
  eventTypes: readonly string[],
  definitions: readonly KeptDefinition[],
): Promise<void> {
  if ((await store.stat(MART_KEY)) === null) await createOnce(store, MART_KEY, jsonText(identity));
  for (const definition of definitions) {
    const key = definitionKey(`${definition.name}@${definition.version}`);
    if ((await store.stat(key)) === null) await createOnce(store, key, jsonText(definition));
  }
  for (;;) {
    const { types, number } = await readEventTypes(store);
    refuseFewerTypes(store, eventTypes, types);
    if (number > 0 && types.length === eventTypes.length) break;
    if (await createOnce(store, eventTypesKey(number + 1), jsonText({ eventTypes }))) break;
  }
  await checkMart(store, identity, eventTypes, definitions);
}

async function readEventTypes(store: ObjectStore): Promise<{ types: readonly string[]; number: number }> {
  const numbers = (await store.list(EVENT_TYPES)).map(({ key }) => numberOf(key) ?? 0);
  const number = Math.max(0, ...numbers);
  if (number === 0) return { types: [], number };
  const kept = await readJson<{ eventTypes: readonly string[] }>(store, eventTypesKey(number));
  return { types: kept?.eventTypes ?? [], number };
}

function refuseOtherIdentity(store: ObjectStore, own: MartIdentity, kept: MartIdentity): void {
  if (own.zone !== kept.zone) {
    throw refusal(store, `its days are those of ${kept.zone}, not of ${own.zone}`, `--tz ${kept.zone}`);
  }
  for (const name of new Set([...Object.keys(kept.settings), ...Object.keys(own.settings)])) {
    if (own.settings[name] === kept.settings[name]) continue;
    const said = (value: Setting | undefined) => (value === undefined ? "nothing" : String(value));
    throw refusal(
      store,
      `it was built with ${name} ${said(kept.settings[name])}, not ${said(own.settings[name])}`,
      `the mart's ${name}`,
    );
  }
}

function refuseFewerTypes(store: ObjectStore, own: readonly string[], kept: readonly string[]): void {
  const lacking = kept.filter((type) => !own.includes(type));
  if (lacking.length === 0) return;
  throw refusal(store, `its eventTypes name ${lacking.join(", ")}, and may only grow`, "them, too");
}

async function refuseOtherMeaning(store: ObjectStore, definition: KeptDefinition): Promise<void> {
  const id = `${definition.name}@${definition.version}`;
  const kept = await readDefinition(store, id);
  if (kept === null || kept.hash === definition.hash) return;
  throw usageError(
    `${id} means something else in the mart ${store.location} (hash ${kept.hash.slice(0, 12)}, not ${definition.hash.slice(0, 12)})`,
    `Give the changed rule a higher version (${definition.name}@${definition.version + 1}) or another name, or start another mart with another --out.`,
  );
}

function refusal(store: ObjectStore, what: string, give: string): PresenceError {
  return usageError(
    `this does not fit the mart ${store.location}: ${what}`,
    `Give ${give}, or start another mart with another --out.`,
  );
}

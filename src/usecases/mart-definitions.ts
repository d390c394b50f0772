import type { Definition, StateRule } from "../definitions/definition.ts";
import { parseExpression } from "../definitions/expression.ts";
import { EXIT, PresenceError } from "../errors.ts";
import { type Commit, EVENTS } from "../publish/commit.ts";
import { DEFINITIONS, definitionKey } from "../publish/keys.ts";
import { readDefinition } from "../publish/mart-identity.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import type { StoredDefinition } from "./mart-access.ts";

/** The definitions that a mart has or had days of, by name and version; their files are not needed for it. */
export async function martDefinitions(store: ObjectStore): Promise<Definition[]> {
  const ids = (await store.list(DEFINITIONS)).map(({ key }) => key.slice(DEFINITIONS.length).replace(/\.json$/, ""));
  const definitions = await Promise.all(ids.map((id) => martDefinition(store, id)));
  return definitions.sort((a, b) => (a.name === b.name ? a.version - b.version : a.name < b.name ? -1 : 1));
}

/** One of them, by `name@version`. */
export async function martDefinition(store: ObjectStore, id: string): Promise<Definition> {
  const stored = await readDefinition<StoredDefinition>(store, id);
  if (stored === null) {
    throw new PresenceError(EXIT.unexpected, `${definitionKey(id)} is missing in ${store.location}`, {
      hint: "Restore it from a backup, or rebuild a day of the definition.",
    });
  }
  return {
    ...stored,
    expression: parseExpression(stored.online),
    states: new Map(Object.entries(stored.states as Record<string, StateRule>)),
  };
}

/** The definitions that a date has results of, by name and version. */
export function builtDefinitions({ parts }: Commit): { metric: string; version: number }[] {
  return Object.keys(parts)
    .filter((id) => id !== EVENTS)
    .map((id) => ({ metric: id.split("@")[0]!, version: Number(id.split("@")[1]) }))
    .sort((a, b) => (a.metric === b.metric ? a.version - b.version : a.metric < b.metric ? -1 : 1));
}

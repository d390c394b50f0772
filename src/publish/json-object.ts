import { EXIT, PresenceError } from "../errors.ts";
import type { ObjectStore } from "../storage/object-store.ts";

/** The text of an object that programs and people read. */
export const jsonText = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

/** A JSON object of the mart; null where there is none, exit 1 where it is damaged. */
export async function readJson<T>(store: ObjectStore, key: string): Promise<T | null> {
  const content = await store.get(key);
  if (content === null) return null;
  try {
    return JSON.parse(content.toString("utf8")) as T;
  } catch (cause) {
    throw new PresenceError(EXIT.unexpected, `${key} in ${store.location} is damaged: it is no JSON`, {
      hint: "Restore it from a backup; presence-batch verify tells what else is damaged.",
      cause,
    });
  }
}

/** Creates it; where there is one already, tells whether it says the same: an answer may have been lost on its way. */
export async function createOnce(store: ObjectStore, key: string, content: string): Promise<boolean> {
  if (await store.createExclusive(key, content)) return true;
  return (await store.get(key))?.equals(Buffer.from(content)) === true;
}

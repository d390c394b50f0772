import type { ObjectStore } from "../storage/object-store.ts";
import { createOnce, jsonText, readJson } from "./json-object.ts";
import { DRIFT, dateOf, driftKey, driftOf, numberOf } from "./keys.ts";

/** Adds a comparison to a date's history and gives its key: 00000001.json, 00000002.json, … */
export async function recordComparison(store: ObjectStore, date: string, comparison: object): Promise<string> {
  const content = jsonText(comparison);
  for (;;) {
    const numbers = (await store.list(driftOf(date))).map(({ key }) => numberOf(key) ?? 0);
    const key = driftKey(date, Math.max(0, ...numbers) + 1);
    if (await createOnce(store, key, content)) return key;
  }
}

/** The comparisons of these dates, in order of date and number; of all dates where null. */
export async function readComparisons<T>(store: ObjectStore, dates: ReadonlySet<string> | null): Promise<T[]> {
  const keys = (await store.list(DRIFT)).map(({ key }) => key);
  const wanted = keys.filter((key) => numberOf(key) !== null && (dates === null || dates.has(dateOf(key) ?? "")));
  const found = await Promise.all(wanted.map((key) => readJson<T>(store, key)));
  return found.filter((comparison): comparison is Awaited<T> & T => comparison !== null);
}

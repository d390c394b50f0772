/** Orders: nulls first, text by its UTF-8 bytes (R7 and the contract's keys). */

export type Key = string | number | boolean | null;

export function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, "utf8"), Buffer.from(b, "utf8"));
}

export function compareKey(a: Key, b: Key): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  return Number(a) - Number(b);
}

/** Lexicographic order of keys of one length. */
export function compareKeys(a: readonly Key[], b: readonly Key[]): number {
  for (let i = 0; i < a.length; i++) {
    const order = compareKey(a[i]!, b[i]!);
    if (order !== 0) return order;
  }
  return 0;
}

/** A sorted copy. */
export function sortBy<T>(items: Iterable<T>, key: (item: T) => readonly Key[]): T[] {
  return [...items].sort((a, b) => compareKeys(key(a), key(b)));
}

/** The first item in the order of its key. */
export function firstBy<T>(items: Iterable<T>, key: (item: T) => readonly Key[]): T | undefined {
  return sortBy(items, key)[0];
}

/** Groups in the order of their first item. The key may hold nulls. */
export function groupBy<T>(items: Iterable<T>, key: (item: T) => readonly Key[]): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const id = JSON.stringify(key(item));
    const group = groups.get(id);
    if (group) group.push(item);
    else groups.set(id, [item]);
  }
  return [...groups.values()];
}

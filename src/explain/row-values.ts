import type { Row } from "../engine/duckdb/session.ts";
import type { EventReference, Exact } from "./explanation.ts";

const REFERENCE = [
  "event_id",
  "user_id",
  "session_id",
  "epoch",
  "sequence",
  "event_type",
  "server_ms",
  "source_file",
  "source_row",
];

/** SELECT items of a reference `x`, each name after the prefix. */
export const reference = (prefix: string): string =>
  REFERENCE.map((name) => `x.${name} as ${prefix}${name}`).join(", ");

export function referenceOf(row: Row, prefix: string): EventReference {
  const of = (name: string) => row[`${prefix}${name}`];
  return {
    eventId: text(of("event_id")),
    userId: text(of("user_id")),
    sessionId: text(of("session_id")),
    epoch: exact(of("epoch")),
    sequence: exact(of("sequence")),
    type: text(of("event_type")),
    serverMs: exact(of("server_ms")),
    sourceFile: String(of("source_file")),
    sourceRow: Number(of("source_row")),
  };
}

export const text = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));

/** A whole number of the lake: exact, whatever its size. */
export function exact(value: unknown): Exact | null {
  if (value === null || value === undefined) return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** Adds to the list of a key. */
export function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

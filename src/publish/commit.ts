import type { ObjectStore } from "../storage/object-store.ts";
import { readJson } from "./json-object.ts";
import { COMMITS, commitKey, commitsOf, dateOf, numberOf } from "./keys.ts";
import type { OutputFile } from "./output-file.ts";

/** The part of a date that no definition owns: its quarantined events and files. */
export const EVENTS = "events";

/** One part of a date: its events, or a definition `name@version`. */
export interface Part {
  /** The run that it is taken from. */
  readonly run: string;
  /** Fingerprint of all that the run read for it: two parts of one fingerprint have the same rows. */
  readonly inputs: string;
  readonly rules: number;
  readonly eventTypes: readonly string[];
  readonly complete: boolean;
  /** SHA-256 of the run's manifest. */
  readonly manifest: string;
  readonly files: readonly OutputFile[];
}

export type Parts = Readonly<Record<string, Part>>;

/** What a date is made of from this commit on. Never changed. */
export interface Commit {
  /** Or the week or month of a rollup: `2026-W31`, `2026-07`. */
  readonly date: string;
  /** From 1, without gaps. */
  readonly number: number;
  /** UTC by the writer's clock: for people, and for the grace of `gc`. Order is by number. */
  readonly createdAt: string;
  /** Unique to the process that wrote it. */
  readonly by: string;
  readonly reason: "rebuild" | "rollback" | "rollup";
  readonly parts: Parts;
}

/** The date's last commit; null before its first. */
export async function readHead(store: ObjectStore, date: string): Promise<Commit | null> {
  const numbers = (await store.list(commitsOf(date))).map(({ key }) => numberOf(key) ?? 0);
  const last = Math.max(0, ...numbers);
  return last === 0 ? null : readCommit(store, date, last);
}

export function readCommit(store: ObjectStore, date: string, number: number): Promise<Commit | null> {
  return readJson<Commit>(store, commitKey(date, number));
}

/** The dates, weeks and months that have a commit, in order of key, with the numbers of their commits, ascending. */
export async function committedDates(store: ObjectStore): Promise<ReadonlyMap<string, readonly number[]>> {
  const dates = new Map<string, number[]>();
  for (const { key } of await store.list(COMMITS)) {
    const [date, number] = [dateOf(key), numberOf(key)];
    if (date === null || number === null) continue;
    const numbers = dates.get(date) ?? [];
    numbers.push(number);
    dates.set(date, numbers);
  }
  for (const numbers of dates.values()) numbers.sort((a, b) => a - b);
  return dates;
}

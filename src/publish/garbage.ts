import type { ObjectStore, StoredObject } from "../storage/object-store.ts";
import { committedDates, readCommit } from "./commit.ts";
import { PUBLISHING, RUNS, runOf } from "./keys.ts";
import { isAbandoned } from "./publishing-mark.ts";

export interface Garbage {
  readonly runs: readonly { readonly run: string; readonly bytes: number }[];
  /** What interrupted writes have left: keys. */
  readonly leftovers: readonly string[];
  readonly bytes: number;
}

export interface GarbageOptions {
  readonly nowMs: number;
  readonly graceMs: number;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/** A write that takes longer than this has been given up, whatever the grace. */
const LONGEST_WRITE_MS = 3_600_000;

/**
 * Removes, or only names, the runs that no last commit names, if none has for the grace, nor were they written within it. Commits
 * stay: they are the mart's history. Runs that are being published, and all of theirs, are left alone.
 *
 * The order matters: a run is seen before its mark, and its mark before its commit, so that one that commits meanwhile is kept.
 */
export async function collectGarbage(store: ObjectStore, options: GarbageOptions): Promise<Garbage> {
  const { nowMs, graceMs, dryRun, signal } = options;
  const isOld = ({ modifiedMs }: StoredObject, grace = graceMs) => nowMs - modifiedMs >= grace;
  const runs = byRun([...(await store.list(RUNS)), ...(await store.leftovers(RUNS))]);
  const living = await livingMarks(store, nowMs);
  const wanted = await wantedRuns(store, nowMs - graceMs);
  const removed: { run: string; bytes: number }[] = [];
  for (const [run, objects] of runs) {
    if (wanted.has(run) || living.has(run) || !objects.every((object) => isOld(object))) continue;
    signal.throwIfAborted();
    if (!dryRun) await store.deleteAll(`${RUNS}${run}/`);
    removed.push({ run, bytes: sum(objects) });
  }
  const gone = new Set(removed.map(({ run }) => run));
  const partial = (await store.leftovers("")).filter(
    (object) =>
      !gone.has(runOf(object.key) ?? "") &&
      isOld(object, living.size > 0 ? Math.max(graceMs, LONGEST_WRITE_MS) : graceMs),
  );
  if (!dryRun) for (const { key } of partial) await store.removeLeftover(key);
  return {
    runs: removed,
    leftovers: partial.map(({ key }) => key),
    bytes: sum(partial) + removed.reduce((total, { bytes }) => total + bytes, 0),
  };
}

function byRun(objects: readonly StoredObject[]): Map<string, StoredObject[]> {
  const runs = new Map<string, StoredObject[]>();
  for (const object of objects) {
    const run = runOf(object.key);
    if (run !== null) runs.set(run, [...(runs.get(run) ?? []), object]);
  }
  return runs;
}

/** Runs that processes may be publishing at this moment. */
async function livingMarks(store: ObjectStore, nowMs: number): Promise<Set<string>> {
  const living = new Set<string>();
  for (const { key } of await store.list(PUBLISHING)) {
    if (await isAbandoned(store, key, nowMs)) continue;
    living.add(key.slice(key.lastIndexOf("/") + 1).replace(/\.json$/, ""));
  }
  return living;
}

/** The runs that last commits name, and those that commits named which were the last until after `sinceMs`. */
async function wantedRuns(store: ObjectStore, sinceMs: number): Promise<Set<string>> {
  const wanted = new Set<string>();
  for (const [date, numbers] of await committedDates(store)) {
    let replacedMs = Number.POSITIVE_INFINITY;
    for (const number of numbers.toReversed()) {
      const commit = await readCommit(store, date, number);
      if (commit === null || replacedMs < sinceMs) break;
      for (const { run } of Object.values(commit.parts)) wanted.add(run);
      replacedMs = Math.min(replacedMs, Date.parse(commit.createdAt));
    }
  }
  return wanted;
}

const sum = (objects: readonly StoredObject[]): number => objects.reduce((total, { bytes }) => total + bytes, 0);

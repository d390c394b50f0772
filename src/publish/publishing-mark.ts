import type { ObjectStore } from "../storage/object-store.ts";
import { jsonText, readJson } from "./json-object.ts";
import { dateOf, PUBLISHING, publishingOf } from "./keys.ts";
import { isDead, ownIdentity, parseIdentity } from "./process-identity.ts";

/** Whoever set a mark longer ago than this, and cannot be asked whether it lives, is taken for dead. */
const LONGEST_MS = 3_600_000;

interface Mark {
  readonly since: string;
  readonly process: unknown;
}

/**
 * A mark says that a process may be in the middle of replacing a date's published files. It is set before the commit and removed
 * after the last file; one that is still there afterwards tells of a crash.
 */
export async function setMark(store: ObjectStore, date: string, by: string, nowMs: number): Promise<string> {
  const key = `${publishingOf(date)}${by}.json`;
  const mark: Mark = { since: new Date(nowMs).toISOString(), process: ownIdentity() };
  await store.put(key, jsonText(mark));
  return key;
}

/** The dates that may be half-published. */
export async function markedDates(store: ObjectStore): Promise<ReadonlySet<string>> {
  return new Set((await store.list(PUBLISHING)).flatMap(({ key }) => dateOf(key) ?? []));
}

export async function marksOf(store: ObjectStore, date: string): Promise<string[]> {
  return (await store.list(publishingOf(date))).map(({ key }) => key);
}

/**
 * Whether a mark's process can do no more harm. The mark of one that may live stays: it might be stopped between looking at the
 * last commit and replacing a file, and its crash after that would go unseen.
 */
export async function isAbandoned(store: ObjectStore, mark: string, nowMs: number): Promise<boolean> {
  const content = await readJson<Mark>(store, mark).catch(() => ({ since: "", process: null }));
  if (content === null) return true;
  const owner = parseIdentity(content.process);
  if (owner !== null && isDead(owner)) return true;
  return nowMs - Date.parse(content.since) > LONGEST_MS;
}

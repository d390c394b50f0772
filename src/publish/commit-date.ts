import type { ObjectStore } from "../storage/object-store.ts";
import { type Commit, type Parts, readHead } from "./commit.ts";
import { converge } from "./converge.ts";
import { createOnce, jsonText } from "./json-object.ts";
import { commitKey } from "./keys.ts";
import { setMark } from "./publishing-mark.ts";

/** What a command makes of the date's last commit, as it is now; null: there is nothing left to do. May throw. */
export type Merge = (head: Commit | null) => { readonly parts: Parts; readonly changed: readonly string[] } | null;

export interface CommitRequest {
  readonly date: string;
  /** Unique to this process: `commitDate` knows its own commit by it, should the answer get lost. */
  readonly by: string;
  readonly reason: Commit["reason"];
  readonly nowMs: number;
}

export interface Committed {
  readonly commit: Commit;
  readonly changed: readonly string[];
  /** Published files that it has replaced. */
  readonly replaced: readonly string[];
}

/**
 * Commits on top of whatever the date's last commit is by then, and replaces the published files. `prepare` stores what the commit
 * will name. Where it certainly has not committed, `undo` is called; after an error in between, the commit may be there although
 * its answer was lost.
 */
export async function commitDate(
  store: ObjectStore,
  { date, by, reason, nowMs }: CommitRequest,
  merge: Merge,
  prepare: () => Promise<void> = async () => {},
  undo: () => Promise<void> = async () => {},
): Promise<Committed | null> {
  // Set before anything is stored: `gc` sees by it that the run is being published.
  const mark = await setMark(store, date, by, nowMs);
  const withdraw = async () => {
    await undo();
    await store.delete(mark);
  };
  const next = async () => {
    const head = await readHead(store, date);
    const merged = merge(head);
    return merged === null ? null : { head, ...merged };
  };
  const orWithdraw = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      await withdraw().catch(() => {});
      throw error;
    }
  };
  await orWithdraw(prepare);
  for (;;) {
    const wanted = await orWithdraw(next);
    if (wanted === null) {
      await withdraw();
      return null;
    }
    const { head, parts, changed } = wanted;
    const number = (head?.number ?? 0) + 1;
    const commit: Commit = { date, number, createdAt: new Date(nowMs).toISOString(), by, reason, parts };
    if (!(await createOnce(store, commitKey(date, number), jsonText(commit)))) continue;
    const replaced = await converge(store, commit, changed);
    await store.delete(mark);
    return { commit, changed, replaced };
  }
}

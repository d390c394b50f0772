import type { ObjectStore } from "../storage/object-store.ts";
import { type Commit, readHead } from "./commit.ts";
import { runKey } from "./keys.ts";
import type { OutputFile } from "./output-file.ts";
import { isAbandoned, marksOf, setMark } from "./publishing-mark.ts";

/**
 * Makes the date's published files those of its last commit, each replaced whole, those of the same content left alone. `parts`
 * names the only ones that can differ, where the caller knows. Gives the paths that it replaced.
 *
 * Where another commit arrives meanwhile, everything is compared again: whoever is last leaves the last commit's files.
 */
export async function converge(
  store: ObjectStore,
  head: Commit,
  parts: readonly string[] = Object.keys(head.parts),
): Promise<string[]> {
  const replaced = new Set<string>();
  for (let [at, names] = [head, parts]; ; ) {
    for (const name of names) {
      const part = at.parts[name];
      for (const file of part?.files ?? []) {
        if (await isPublished(store, file)) continue;
        await store.copy(runKey(part!.run, file.path), file.path);
        replaced.add(file.path);
      }
    }
    const now = await readHead(store, head.date);
    if (now === null || now.number === at.number) return [...replaced];
    [at, names] = [now, Object.keys(now.parts)];
  }
}

/** Whether the published file is the commit's, byte for byte. */
export async function isPublished(store: ObjectStore, file: OutputFile): Promise<boolean> {
  const stat = await store.stat(file.path);
  if (stat === null || stat.bytes !== file.bytes) return false;
  return (await store.digest(file.path))?.sha256 === file.sha256;
}

/** Whether all of a date is there in the right sizes: what a look at names tells, without reading. */
export async function looksPublished(store: ObjectStore, head: Commit): Promise<boolean> {
  for (const file of Object.values(head.parts).flatMap(({ files }) => files)) {
    if ((await store.stat(file.path))?.bytes !== file.bytes) return false;
  }
  return true;
}

/**
 * Mends a date that a crash has left half-published, and forgets marks of the dead. Gives the paths that it replaced; reads no
 * file where nothing hints at a crash.
 */
export async function repairDate(store: ObjectStore, date: string, by: string, nowMs: number): Promise<string[]> {
  const marks = await marksOf(store, date);
  const head = await readHead(store, date);
  if (marks.length === 0 && (head === null || (await looksPublished(store, head)))) return [];
  const own = await setMark(store, date, by, nowMs);
  const replaced = head === null ? [] : await converge(store, head);
  for (const mark of marks) if (await isAbandoned(store, mark, nowMs)) await store.delete(mark);
  await store.delete(own);
  return replaced;
}

import type { ObjectStore } from "../storage/object-store.ts";
import { type Commit, readHead } from "./commit.ts";
import { inParallel } from "./in-parallel.ts";
import { runKey } from "./keys.ts";
import type { OutputFile } from "./output-file.ts";
import { isAbandoned, marksOf, setMark } from "./publishing-mark.ts";

/**
 * Makes the date's published files those of its last commit, each replaced whole, those of the same content left alone. `parts`
 * names the only ones that can differ, where the caller knows. Gives the paths that it replaced. What is damaged in its run, too,
 * is left: only a rebuild mends it.
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
    const files = names.flatMap((name) => {
      const part = at.parts[name];
      return (part?.files ?? []).map((file) => ({ file, source: runKey(part!.run, file.path) }));
    });
    await inParallel(files, async ({ file, source }) => {
      if ((await isPublished(store, file)) || !(await isSound(store, source, file))) return;
      await store.copy(source, file.path);
      replaced.add(file.path);
    });
    for (const path of await removeSurplus(
      store,
      files.map(({ file }) => file.path),
    ))
      replaced.add(path);
    const now = await readHead(store, head.date);
    if (now === null || now.number === at.number) return [...replaced].sort();
    [at, names] = [now, Object.keys(now.parts)];
  }
}

/**
 * A partition that had more part files before loses those beyond its last. Counted down, so that a crash in between leaves the
 * row of numbers whole, which tells the next one what is left to do.
 */
async function removeSurplus(store: ObjectStore, paths: readonly string[]): Promise<string[]> {
  const lasts = new Map<string, number>();
  for (const path of paths) {
    const [, folder, number] = PART.exec(path) ?? [];
    if (folder !== undefined) lasts.set(folder, Math.max(lasts.get(folder) ?? 0, Number(number)));
  }
  const surplus: string[] = [];
  await inParallel([...lasts], async ([folder, last]) => {
    const beyond: string[] = [];
    for (let number = last + 1; ; number++) {
      const path = `${folder}part-${String(number).padStart(5, "0")}.parquet`;
      if ((await store.stat(path)) === null) break;
      beyond.push(path);
    }
    for (const path of beyond.toReversed()) await store.delete(path);
    surplus.push(...beyond);
  });
  return surplus;
}

const PART = /^(.*\/)part-(\d{5})\.parquet$/;

/** Whether the published file is the commit's, byte for byte. */
export const isPublished = (store: ObjectStore, file: OutputFile): Promise<boolean> => isSound(store, file.path, file);

async function isSound(store: ObjectStore, key: string, file: OutputFile): Promise<boolean> {
  const stat = await store.stat(key);
  if (stat === null || stat.bytes !== file.bytes) return false;
  return (await store.digest(key))?.sha256 === file.sha256;
}

/**
 * The parts of a date that are to be published anew even if they come out the same: a file is damaged, in its run or published. With
 * it go the others of that run, so that nothing refers to the run any more.
 */
export async function damagedParts(store: ObjectStore, head: Commit, names: readonly string[]): Promise<Set<string>> {
  const runs = new Set<string>();
  for (const part of names.flatMap((name) => head.parts[name] ?? [])) {
    for (const file of runs.has(part.run) ? [] : part.files) {
      const sound = (await isSound(store, runKey(part.run, file.path), file)) && (await isPublished(store, file));
      if (!sound) runs.add(part.run);
    }
  }
  return new Set(names.filter((name) => runs.has(head.parts[name]?.run ?? "")));
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
  return head === null ? forget(store, marks, nowMs) : republish(store, head, by, nowMs);
}

/** Compares all of a date's last commit with what is published, replaces what differs, and forgets marks of the dead. */
export async function republish(store: ObjectStore, head: Commit, by: string, nowMs: number): Promise<string[]> {
  const marks = await marksOf(store, head.date);
  const own = await setMark(store, head.date, by, nowMs);
  const replaced = await converge(store, head);
  await forget(store, marks, nowMs);
  await store.delete(own);
  return replaced;
}

async function forget(store: ObjectStore, marks: readonly string[], nowMs: number): Promise<string[]> {
  for (const mark of marks) if (await isAbandoned(store, mark, nowMs)) await store.delete(mark);
  return [];
}

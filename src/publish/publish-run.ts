import { EXIT, PresenceError } from "../errors.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { type Commit, type Part, type Parts, readHead } from "./commit.ts";
import { converge, repairDate } from "./converge.ts";
import { createOnce, jsonText } from "./json-object.ts";
import { commitKey, manifestKey, RUNS, runKey } from "./keys.ts";
import { mergeParts } from "./merge-parts.ts";
import type { OutputFile } from "./output-file.ts";
import { setMark } from "./publishing-mark.ts";

/** A run that is to be published: its checked files lie below a private folder. */
export interface FinishedRun {
  readonly date: string;
  readonly runId: string;
  readonly manifest: object;
  readonly parts: Parts;
  /** Where a file of the run lies on this machine. */
  localFile(path: string): string;
}

/** What came of publishing. `nothing`: the date already has these parts of these inputs. */
export type Published =
  | {
      readonly kind: "commit";
      readonly commit: Commit;
      readonly parts: readonly string[];
      readonly replaced: readonly string[];
    }
  | { readonly kind: "nothing" };

/**
 * Publishes a run on top of the date's last commit: the run's files and manifest, then the commit, which is the moment it counts,
 * then the published files. `base` is the last commit that the run saw when it was planned. `beforeCommit` is called once there
 * is something to commit and all of it is stored.
 */
export async function publishRun(
  store: ObjectStore,
  run: FinishedRun,
  base: Commit | null,
  nowMs: number,
  beforeCommit: () => Promise<void> = async () => {},
): Promise<Published> {
  const first = merged(run, base, await readHead(store, run.date));
  if (first === null) return NOTHING;
  let mark: string;
  try {
    await storeRun(store, run, first.head);
    await beforeCommit();
    mark = await setMark(store, run.date, run.runId, nowMs);
  } catch (error) {
    await abandon(store, run).catch(() => {});
    throw error;
  }
  // From here on an error leaves the run where it is: its commit may be there although its answer was lost.
  for (let next: Merged | null = first; next !== null; ) {
    const commit: Commit = {
      date: run.date,
      number: (next.head?.number ?? 0) + 1,
      createdAt: new Date(nowMs).toISOString(),
      by: run.runId,
      reason: "rebuild",
      parts: next.parts,
    };
    if (await createOnce(store, commitKey(run.date, commit.number), jsonText(commit))) {
      const replaced = await converge(store, commit, next.changed);
      await store.delete(mark);
      return { kind: "commit", commit, parts: next.changed, replaced };
    }
    try {
      next = merged(run, base, await readHead(store, run.date));
    } catch (error) {
      await abandon(store, run, mark);
      throw error;
    }
  }
  await abandon(store, run, mark);
  return NOTHING;
}

const NOTHING: Published = { kind: "nothing" };

interface Merged {
  readonly head: Commit | null;
  readonly parts: Parts;
  readonly changed: readonly string[];
}

/** Repairs the date if need be and gives its last commit, on which a run is planned. */
export async function openDate(store: ObjectStore, date: string, by: string, nowMs: number): Promise<Commit | null> {
  await repairDate(store, date, by, nowMs);
  return readHead(store, date);
}

/** Null where there is nothing to commit. */
function merged(run: FinishedRun, base: Commit | null, head: Commit | null): Merged | null {
  const merge = mergeParts(run.parts, base?.parts ?? {}, head?.parts ?? {});
  if (merge.kind === "nothing") return null;
  if (merge.kind === "commit") return { head, ...merge };
  throw new PresenceError(
    EXIT.outrun,
    `another run has published ${run.date} (${merge.parts.join(", ")}) from other inputs meanwhile: nothing was published`,
    { hint: "Run again." },
  );
}

/** Removes what no commit can refer to. */
async function abandon(store: ObjectStore, { runId }: FinishedRun, mark?: string): Promise<void> {
  await store.deleteAll(`${RUNS}${runId}/`);
  if (mark !== undefined) await store.delete(mark);
}

/** The run's files, then its manifest: a run without one is unfinished. */
async function storeRun(store: ObjectStore, run: FinishedRun, head: Commit | null): Promise<void> {
  for (const [name, part] of Object.entries(run.parts)) {
    for (const file of part.files) await storeFile(store, run, file, head?.parts[name]);
  }
  await store.put(manifestKey(run.runId), jsonText(run.manifest));
}

/** A file of the same content as the last commit's becomes the same object, so that a mart does not grow by reruns. */
async function storeFile(store: ObjectStore, run: FinishedRun, file: OutputFile, before: Part | undefined) {
  const key = runKey(run.runId, file.path);
  const same = before?.files.some(({ path, sha256 }) => path === file.path && sha256 === file.sha256);
  const kept = same ? runKey(before!.run, file.path) : null;
  if (kept !== null && (await store.digest(kept))?.sha256 === file.sha256) await store.copy(kept, key);
  else await store.putFile(key, run.localFile(file.path));
}

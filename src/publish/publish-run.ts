import { createHash } from "node:crypto";
import { EXIT, PresenceError } from "../errors.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { type Commit, type Part, type Parts, readHead } from "./commit.ts";
import { type Committed, commitDate, type Merge } from "./commit-date.ts";
import { damagedParts, repairDate } from "./converge.ts";
import { inParallel } from "./in-parallel.ts";
import { jsonText } from "./json-object.ts";
import { manifestKey, RUNS, runKey } from "./keys.ts";
import { mergeParts } from "./merge-parts.ts";
import type { OutputFile } from "./output-file.ts";

/** A run that is to be published: its checked files lie below a private folder. */
export interface FinishedRun {
  readonly date: string;
  readonly reason: "rebuild" | "rollup";
  readonly runId: string;
  readonly manifest: object;
  readonly parts: Readonly<Record<string, Omit<Part, "manifest">>>;
  /** Where a file of the run lies on this machine. */
  localFile(path: string): string;
}

/**
 * Publishes a run on top of the date's last commit: the run's files and manifest, then the commit, which is the moment it counts,
 * then the published files. `base` is the last commit that the run saw when it was planned. `beforeCommit` is called once all of
 * the run is stored. Null: the date already has these parts of these inputs, and nothing was left to do.
 */
export async function publishRun(
  store: ObjectStore,
  run: FinishedRun,
  base: Commit | null,
  nowMs: number,
  beforeCommit: () => Promise<void> = async () => {},
): Promise<Committed | null> {
  const { date, reason, runId } = run;
  const manifest = jsonText(run.manifest);
  const sha256 = createHash("sha256").update(manifest).digest("hex");
  const parts = Object.fromEntries(
    Object.entries(run.parts).map(([name, part]): [string, Part] => [name, { ...part, manifest: sha256 }]),
  );
  const head = await readHead(store, date);
  const damaged = head === null ? new Set<string>() : await damagedParts(store, head, Object.keys(parts));
  const merge: Merge = (now) => mergedOrOutrun(date, { own: parts, base, head: now, damaged });
  if (merge(head) === null) return null;
  return commitDate(
    store,
    { date, by: runId, reason, nowMs },
    merge,
    async () => {
      await storeFiles(store, run, head);
      // A run without a manifest is unfinished.
      await store.put(manifestKey(runId), manifest);
      await beforeCommit();
    },
    () => store.deleteAll(`${RUNS}${runId}/`),
  );
}

/** Repairs the date if need be and gives its last commit, on which a run is planned. */
export async function openDate(store: ObjectStore, date: string, by: string, nowMs: number): Promise<Commit | null> {
  await repairDate(store, date, by, nowMs);
  return readHead(store, date);
}

interface MergeInput {
  readonly own: Parts;
  readonly base: Commit | null;
  readonly head: Commit | null;
  readonly damaged: ReadonlySet<string>;
}

function mergedOrOutrun(date: string, { own, base, head, damaged }: MergeInput): ReturnType<Merge> {
  const merge = mergeParts(own, base?.parts ?? {}, head?.parts ?? {}, damaged);
  if (merge.kind === "nothing") return null;
  if (merge.kind === "commit") return merge;
  throw new PresenceError(
    EXIT.outrun,
    `another run has published ${date} (${merge.parts.join(", ")}) from other inputs meanwhile: nothing was published`,
    { hint: "Run again." },
  );
}

async function storeFiles(store: ObjectStore, run: FinishedRun, head: Commit | null): Promise<void> {
  const files = Object.entries(run.parts).flatMap(([name, part]) => part.files.map((file) => ({ name, file })));
  await inParallel(files, ({ name, file }) => storeFile(store, run, file, head?.parts[name]));
}

/** A file of the same content as the last commit's becomes the same object, so that a mart does not grow by reruns. */
async function storeFile(store: ObjectStore, run: FinishedRun, file: OutputFile, before: Part | undefined) {
  const key = runKey(run.runId, file.path);
  const same = before?.files.some(({ path, sha256 }) => path === file.path && sha256 === file.sha256);
  const kept = same ? runKey(before!.run, file.path) : null;
  if (kept !== null && (await store.digest(kept))?.sha256 === file.sha256) await store.copy(kept, key);
  else await store.putFile(key, run.localFile(file.path));
}

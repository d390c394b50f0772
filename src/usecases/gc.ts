import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { repairDate } from "../publish/converge.ts";
import { collectGarbage, type Garbage } from "../publish/garbage.ts";
import { TRUTH } from "../publish/keys.ts";
import { readMart } from "../publish/mart-identity.ts";
import { removeDeadFolders } from "../publish/private-folder.ts";
import { markedDates } from "../publish/publishing-mark.ts";
import { newRunId } from "../publish/run-id.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { type MartEffects, martStore } from "./mart-access.ts";
import { noMart } from "./open-mart.ts";

export interface GcOptions {
  readonly out: string;
  readonly graceMs: number;
  readonly dryRun: boolean;
  readonly tempDir: string | null;
}

export interface GcResult extends Garbage {
  readonly out: string;
  readonly dryRun: boolean;
  /** Dates that a crash had left half-published, mended. */
  readonly repaired: readonly string[];
  /** Private folders of dead runs. */
  readonly tempFolders: readonly string[];
}

/** Removes runs that no commit has named for the length of the grace, and what crashes have left behind. */
export async function gc(options: GcOptions, effects: MartEffects): Promise<GcResult> {
  const store = martStore(options.out, effects);
  if ((await readMart(store)) === null && !(await hasBegun(store))) throw noMart(options.out);
  const { nowMs, signal } = effects;
  const { out, dryRun, graceMs } = options;
  const repaired: string[] = [];
  if (!dryRun) {
    await store.assertUsable();
    const by = newRunId(nowMs);
    for (const date of await markedDates(store)) {
      signal.throwIfAborted();
      if ((await repairDate(store, date, by, nowMs)).length > 0) repaired.push(date);
    }
  }
  const garbage = await collectGarbage(store, { nowMs, graceMs, dryRun, signal });
  const tempFolders = dryRun ? [] : await removeDeadFolders(resolve(options.tempDir ?? tmpdir()));
  return { out, dryRun, repaired, tempFolders, ...garbage };
}

/** A first run that crashed has left something to remove, but no mart yet. */
async function hasBegun(store: ObjectStore): Promise<boolean> {
  return (await store.list(TRUTH)).length > 0 || (await store.leftovers("")).length > 0;
}

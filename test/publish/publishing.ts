import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { Commit } from "../../src/publish/commit.ts";
import { isPublished } from "../../src/publish/converge.ts";
import { fixMart } from "../../src/publish/mart-identity.ts";
import { openDate, publishRun } from "../../src/publish/publish-run.ts";
import type { ObjectStore } from "../../src/storage/object-store.ts";
import { NOW } from "./mart-tools.ts";
import { tempFolder } from "./small-lake.ts";

export const DATE = "2024-01-15";
export const PARTS: Record<string, string[]> = {
  events: [`quarantined_events/date=${DATE}/part-00000.parquet`],
  "connected@1": ["user_daily", "session_daily"].map(
    (table) => `${table}/metric=connected/version=1/date=${DATE}/part-00000.parquet`,
  ),
};
const root = tempFolder();
const sha = (text: string) => createHash("sha256").update(text).digest("hex");
/** One file is the same in both runs. */
const content = (path: string, version: string) => (path.startsWith("session") ? "the same" : `${path} of ${version}`);

/** Publishes the version's files as a rebuild would, from a private folder. */
export async function publish(store: ObjectStore, version: string, attempt: string): Promise<void> {
  const folder = join(root, `private-${attempt}`);
  const runId = `run-${version}-${attempt}`;
  const parts = Object.fromEntries(
    Object.entries(PARTS).map(([name, paths]) => {
      const files = paths.map((path) => {
        const text = content(path, version);
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
        return { path, rows: 1, bytes: text.length, sha256: sha(text) };
      });
      return [name, { run: runId, inputs: version, rules: 1, eventTypes: [], complete: true, files }];
    }),
  );
  try {
    const base = await openDate(store, DATE, runId, NOW);
    const localFile = (path: string) => join(folder, path);
    await publishRun(
      store,
      { date: DATE, reason: "rebuild", runId, manifest: { run_id: runId }, parts, localFile },
      base,
      NOW,
      () => fixMart(store, { zone: "UTC", settings: {} }, [], [{ name: "connected", version: 1, hash: "h" }]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function expectWhole(store: ObjectStore, head: Commit | null): Promise<void> {
  for (const file of Object.values(head?.parts ?? {}).flatMap(({ files }) => files)) {
    expect(await isPublished(store, file), file.path).toBe(true);
  }
}

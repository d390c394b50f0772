import { createHash } from "node:crypto";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Commit, readHead } from "../../src/publish/commit.ts";
import { isPublished, repairDate } from "../../src/publish/converge.ts";
import { collectGarbage } from "../../src/publish/garbage.ts";
import { fixMart } from "../../src/publish/mart-identity.ts";
import { openDate, publishRun } from "../../src/publish/publish-run.ts";
import { LocalStore } from "../../src/storage/local-store.ts";
import type { ObjectStore } from "../../src/storage/object-store.ts";
import { endMarkingProcesses, faultyFiles } from "./faulty-files.ts";
import { faultyStore } from "./faulty-store.ts";
import { leftovers, NOW, published } from "./mart-tools.ts";
import { tempFolder } from "./small-lake.ts";

const DATE = "2024-01-15";
const PARTS: Record<string, string[]> = {
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
async function publish(store: ObjectStore, version: string, attempt: string): Promise<void> {
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
    await publishRun(store, { date: DATE, runId, manifest: { run_id: runId }, parts, localFile }, base, NOW, () =>
      fixMart(store, { zone: "UTC", settings: {} }, [], [{ name: "connected", version: 1, hash: "h" }]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function expectWhole(store: ObjectStore, head: Commit | null): Promise<void> {
  for (const file of Object.values(head?.parts ?? {}).flatMap(({ files }) => files)) {
    expect(await isPublished(store, file), file.path).toBe(true);
  }
}

interface Broken {
  readonly store: ObjectStore;
  /** How many changing calls there were. */
  calls(): number;
}

/** Every place where the publishing of a version can break, one after the other, until a run completes untouched. */
async function breakEverywhere(
  before: string | null,
  fault: string,
  broken: (out: string, n: number) => Broken,
): Promise<number> {
  const clean = new LocalStore(join(root, `clean-${fault}-${before}`));
  if (before !== null) await publish(clean, before, "clean");
  const old = published(clean.location, { mtimes: false });
  const start = join(root, `start-${fault}-${before}`);
  if (before !== null) cpSync(clean.location, start, { recursive: true });
  await publish(clean, "new", "clean");
  const wanted = published(clean.location, { mtimes: false });
  for (let n = 1; ; n++) {
    const out = join(root, `${fault}-${before}-${n}`);
    if (before !== null) cpSync(start, out, { recursive: true });
    const faulty = broken(out, n);
    const failure = await publish(faulty.store, "new", "broken").catch((error: unknown) => error);
    const store = new LocalStore(out);
    for (const [path, hash] of Object.entries(published(out, { mtimes: false }))) {
      if (!path.includes(".partial"))
        expect([old[path], wanted[path]], `${path} after ${fault} at ${n}`).toContain(hash);
    }
    endMarkingProcesses(out);
    // The next command on the date leaves exactly what the last commit says, be it the old one or the new.
    await repairDate(store, DATE, "repair", NOW);
    await expectWhole(store, await readHead(store, DATE));
    await publish(store, "new", "again");
    const head = await readHead(store, DATE);
    expect(head?.number, `${fault} at ${n}`).toBe(before === null ? 1 : 2);
    const options = { nowMs: Date.now() + 1000, graceMs: 0, dryRun: false, signal: new AbortController().signal };
    await collectGarbage(store, options);
    expect(published(out, { mtimes: false })).toEqual(wanted);
    expect(leftovers(out), `${fault} at ${n}`).toEqual([]);
    rmSync(out, { recursive: true });
    if (faulty.calls() < n) {
      expect(failure).toBeUndefined();
      return n;
    }
    expect(failure ?? "no failure is one that cleaning up met").toBeDefined();
  }
}

describe.each(["fail", "die-before", "die-after", "half"] as const)(
  "%s at the n-th call of the file system",
  (fault) => {
    const broken = (out: string, n: number): Broken => {
      const files = faultyFiles(n, fault);
      return { store: new LocalStore(out, files), calls: files.calls };
    };
    test("on an empty mart", async () => {
      expect(await breakEverywhere(null, fault, broken)).toBeGreaterThan(60);
    });
    // Half a write differs from a whole one in new files only, which an empty mart has most of.
    if (fault !== "half") {
      test("on a date that is there", async () => {
        expect(await breakEverywhere("old", fault, broken)).toBeGreaterThan(40);
      });
    }
  },
);

describe.each(["fail", "die-before", "die-after"] as const)("%s at the n-th call of the store", (fault) => {
  test("on a date that is there", async () => {
    const broken = (out: string, n: number) => faultyStore(new LocalStore(out), n, fault);
    expect(await breakEverywhere("old", `store-${fault}`, broken)).toBeGreaterThan(8);
  });
});

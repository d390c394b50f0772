import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readHead } from "../../src/publish/commit.ts";
import { repairDate } from "../../src/publish/converge.ts";
import { collectGarbage } from "../../src/publish/garbage.ts";
import { LocalStore } from "../../src/storage/local-store.ts";
import type { ObjectStore } from "../../src/storage/object-store.ts";
import { endMarkingProcesses, faultyFiles } from "./faulty-files.ts";
import { faultyStore } from "./faulty-store.ts";
import { leftovers, NOW, published } from "./mart-tools.ts";
import { DATE, expectWhole, publish } from "./publishing.ts";
import { tempFolder } from "./small-lake.ts";

const root = tempFolder();

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

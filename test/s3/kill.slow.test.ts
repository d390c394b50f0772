import { describe, expect, test } from "vitest";
import { readHead } from "../../src/publish/commit.ts";
import { repairDate } from "../../src/publish/converge.ts";
import { collectGarbage } from "../../src/publish/garbage.ts";
import { S3Store } from "../../src/storage/s3-store.ts";
import { faultyStore } from "../publish/faulty-store.ts";
import { NOW } from "../publish/mart-tools.ts";
import { DATE, expectWhole, publish } from "../publish/publishing.ts";
import type { SeenRequest } from "./fake-s3.ts";
import { FAST, fakeS3, optionsOf, publishedIn } from "./s3-tools.ts";

const server = fakeS3();
const NO_RETRY = { ...FAST, retries: { attempts: 1, firstDelayMs: 1, longestDelayMs: 1 } };
const store = (tuning = FAST) => new S3Store("s3://mart/m", optionsOf(server.endpoint), tuning);
const isChange = ({ method }: SeenRequest) => method !== "GET" && method !== "HEAD";

type Objects = typeof server.objects;
const copyOf = (objects: Objects): Objects => new Map(objects);

function restore(objects: Objects): void {
  server.objects.clear();
  for (const [path, object] of objects) server.objects.set(path, object);
}

/** Marks of this process become those of one that has ended, as after a real kill. */
function endMarkingProcesses(): void {
  for (const [path, { body }] of server.objects) {
    if (!path.includes("/publishing/")) continue;
    const mark = JSON.parse(String(body));
    server.set(path, JSON.stringify({ ...mark, process: { ...mark.process, start: "1" } }));
  }
}

function leftovers(): string[] {
  const paths = [...server.objects.keys()];
  const commits = paths
    .filter((path) => path.includes("/commits/"))
    .map((path) => String(server.objects.get(path)!.body));
  return paths.filter((path) => {
    const run = /\/runs\/([^/]+)\//.exec(path)?.[1];
    return /\/(publishing|probes)\//.test(path) || (run !== undefined && !commits.join().includes(run));
  });
}

/** Every place where the publishing can break, one after the other, until it completes untouched. */
async function breakEverywhere(before: string | null, broken: (n: number) => { store: S3Store; reached(): boolean }) {
  if (before !== null) await publish(store(), before, "clean");
  const start = copyOf(server.objects);
  const old = publishedIn(server, "mart/m");
  await publish(store(), "new", "clean");
  const wanted = publishedIn(server, "mart/m");
  for (let n = 1; ; n++) {
    restore(start);
    const faulty = broken(n);
    await publish(faulty.store, "new", "broken").catch(() => {});
    const reached = faulty.reached();
    server.fault = () => null;
    for (const [path, hash] of Object.entries(publishedIn(server, "mart/m"))) {
      expect([old[path], wanted[path]], `${path} after ${n}`).toContain(hash);
    }
    endMarkingProcesses();
    await repairDate(store(), DATE, "repair", NOW);
    await expectWhole(store(), await readHead(store(), DATE));
    await publish(store(), "new", "again");
    expect((await readHead(store(), DATE))?.number, `after ${n}`).toBe(before === null ? 1 : 2);
    const signal = new AbortController().signal;
    await collectGarbage(store(), { nowMs: Date.now() + 5000, graceMs: 0, dryRun: false, signal });
    expect(publishedIn(server, "mart/m")).toEqual(wanted);
    expect(leftovers(), `after ${n}`).toEqual([]);
    if (!reached) return n;
  }
}

describe.each(["fail", "die-before", "die-after"] as const)("%s at the n-th call of the store", (fault) => {
  test("on a date that is there", async () => {
    const count = await breakEverywhere("old", (n) => {
      const faulty = faultyStore(store(), n, fault);
      return { store: faulty.store as S3Store, reached: () => faulty.calls() >= n };
    });
    expect(count).toBeGreaterThan(8);
  });
});

describe.each(["lost-before", "lost-after"] as const)("the process dies at the n-th changing request, %s", (fault) => {
  test.each([null, "old"])("on %s", async (before) => {
    const count = await breakEverywhere(before, (n) => {
      let changes = 0;
      server.fault = (request) => {
        if (changes >= n) return "lost-before";
        return isChange(request) && ++changes === n ? fault : null;
      };
      return { store: store(NO_RETRY), reached: () => changes >= n };
    });
    expect(count).toBeGreaterThan(8);
  });
});

import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { StagedItem } from "../../src/lake/staged-item.ts";
import { StagingArea } from "../../src/lake/staging-area.ts";
import { tempFolder } from "../publish/small-lake.ts";

const never = () => new AbortController().signal;

const sizeOf = (items: readonly StagedItem[]) => items.reduce((sum, { bytes }) => sum + bytes, 0);

interface Counted extends StagedItem {
  fetches: number;
}

/** Items that take their room from the beginning of a fetch until their file is gone; `most` is the most that was ever taken. */
function items(sizes: readonly { bytes: number; lastDay: number; ms?: number }[], fail = (_: number) => false) {
  const folder = tempFolder("area-");
  const coming = new Set<StagedItem>();
  const told = { most: 0, coming };
  const made = sizes.map(({ bytes, lastDay, ms = 0 }, index): Counted => {
    const path = join(folder, String(index));
    return {
      path,
      bytes,
      lastDay,
      fetches: 0,
      async fetch() {
        expect(existsSync(path), "fetched though it is there").toBe(false);
        this.fetches++;
        coming.add(this);
        told.most = Math.max(told.most, sizeOf(made.filter((item) => coming.has(item) || existsSync(item.path))));
        await pause(ms);
        coming.delete(this);
        if (fail(index)) throw new Error(`no ${index}`);
        writeFileSync(path, "");
      },
    };
  });
  return { made, told };
}

test("whatever sizes and times: each item is handed out once a reading, and the folder never has more than the budget", async () => {
  const item = fc.record({
    bytes: fc.integer({ min: 0, max: 100 }),
    lastDay: fc.constantFrom(0, 1),
    ms: fc.integer({ min: 0, max: 3 }),
  });
  const scenario = fc.record({
    sizes: fc.array(item, { minLength: 1, maxLength: 12 }),
    budget: fc.integer({ min: 100, max: 600 }),
    concurrency: fc.integer({ min: 1, max: 4 }),
    readings: fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ sizes, budget, concurrency, readings }) => {
      const { made, told } = items(sizes);
      const area = new StagingArea(budget, concurrency, never());
      for (const day of [...readings].sort()) {
        const own = made.filter(({ lastDay }) => lastDay >= day);
        area.begin(day, made);
        const had: StagedItem[] = [];
        await area.read(own, async (batch) => {
          expect(batch.size === 1 || sizeOf([...batch]) <= budget / 2).toBe(true);
          for (let step = 0; step < 3; step++) {
            for (const { path } of batch) expect(existsSync(path)).toBe(true);
            await pause(1);
          }
          had.push(...batch);
        });
        expect(new Set(had)).toEqual(new Set(own));
        expect(had.length).toBe(own.length);
      }
      await pause(5 * sizes.length);
      await area.settled();
      expect(told.most).toBeLessThanOrEqual(budget);
    }),
    { numRuns: 60 },
  );
});

test("the next ones come while a batch is read", async () => {
  const { made, told } = items(Array.from({ length: 8 }, () => ({ bytes: 10, lastDay: 0, ms: 1 })));
  const area = new StagingArea(40, 2, never());
  let overlapping = 0;
  await area.read(made, async (batch) => {
    if ([...told.coming].some((item) => !batch.has(item))) overlapping++;
    await pause(20);
  });
  expect(overlapping).toBeGreaterThan(2);
});

test("what fits is fetched once for all readings and days; of what does not, what is there is read first", async () => {
  const sizes = Array.from({ length: 8 }, (_, i) => ({ bytes: 10, lastDay: i < 4 ? 0 : 1 }));
  const all = items(sizes);
  const roomy = new StagingArea(80, 3, never());
  const read = async (area: StagingArea, list: readonly StagedItem[]) => area.read(list, async () => {});
  for (const day of [0, 1]) {
    roomy.begin(day, all.made.slice(day * 4));
    for (let pass = 0; pass < 3; pass++) await read(roomy, all.made.slice(day * 4));
  }
  expect(all.made.map(({ fetches }) => fetches)).toEqual(Array(8).fill(1));
  expect(all.made.map(({ path }) => existsSync(path))).toEqual([0, 0, 0, 0, 1, 1, 1, 1].map(Boolean));

  const { made } = items(sizes);
  const tight = new StagingArea(60, 1, never());
  for (let pass = 0; pass < 3; pass++) await read(tight, made);
  // Each further reading lacks the two for which there was no room, and no more.
  expect(made.reduce((sum, { fetches }) => sum + fetches, 0)).toBe(8 + 2 + 2);
});

test("a failure of what is wanted ends the reading; of what is only ahead, nothing", async () => {
  let broken = true;
  const { made } = items(
    Array.from({ length: 4 }, () => ({ bytes: 10, lastDay: 1 })),
    (index) => broken && index === 3,
  );
  const area = new StagingArea(1000, 2, never());
  area.begin(0, made);
  await area.read(made.slice(0, 3), async () => {});
  await pause(5);
  expect(made[3]!.fetches).toBe(1);
  await expect(area.read(made, async () => {})).rejects.toThrow("no 3");
  broken = false;
  await area.read(made, async () => {});
});

test("stops with its signal", async () => {
  const stop = new AbortController();
  const { made } = items([{ bytes: 1, lastDay: 0, ms: 5 }]);
  const area = new StagingArea(10, 1, stop.signal);
  const reading = area.read(made, async () => {});
  stop.abort(new Error("stopped"));
  await expect(reading).rejects.toThrow("stopped");
  await area.settled();
  rmSync(made[0]!.path, { force: true });
});

test("takes no longer for each of 20,000 items than for a few", async () => {
  const fetch = () => new Promise<void>((go) => setImmediate(go));
  const made = Array.from({ length: 20_000 }, (_, i) => ({ path: `/nowhere/${i}`, bytes: 1, lastDay: i % 2, fetch }));
  const area = new StagingArea(7_000, 8, never());
  const started = performance.now();
  area.begin(0, made);
  for (let pass = 0; pass < 2; pass++) await area.read(made, async () => {});
  // A scan of all of them for each would take minutes.
  expect(performance.now() - started).toBeLessThan(20_000);
});

/** Days are counted ahead of their turn, but told and published in their order; one that fails stops those after it. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { defaultMemoryLimit } from "../../src/plan/resources.ts";
import type { DayPlan } from "../../src/usecases/day-plan.ts";
import { inOrder, isWorthCountingAhead, type Place } from "../../src/usecases/days-ahead.ts";
import { rebuild } from "../../src/usecases/rebuild.ts";
import { effects, rebuildOptions, snapshot } from "../publish/mart-tools.ts";
import { SmallLake, tempFolder } from "../publish/small-lake.ts";

type Told = string[];

function recording(told: Told, signal = new AbortController().signal) {
  return effects({
    signal,
    progress: (event) => void told.push(`${event.kind} ${"day" in event ? event.day : ""}`.trim()),
    warn: (text) => void told.push(`warning ${text}`),
  });
}

/** A day that takes some time before and after its turn. */
const day =
  (told: Told, log: string[], ms: (index: number) => number, fails: (index: number) => boolean = () => false) =>
  async (index: number, { effects: own, turn }: Place): Promise<number> => {
    log.push(`begin ${index}`);
    own.progress({ kind: "day", day: String(index), files: 0, bytes: 0 });
    await sleep(ms(index));
    own.warn(String(index));
    if (fails(index)) throw new Error(`day ${index}`);
    await turn;
    own.signal.throwIfAborted();
    log.push(`publish ${index}`);
    told.push(`published ${index}`);
    return index;
  };

describe("days in order", () => {
  test("the next is counted meanwhile, and told of when its turn has come", async () => {
    const [told, log, done]: [Told, string[], unknown[]] = [[], [], []];
    const work = day(told, log, (index) => (index % 2 === 0 ? 60 : 1));
    await inOrder(
      4,
      recording(told),
      () => true,
      work,
      (index, outcome) => void done.push([index, outcome.status]),
    );
    expect(told).toEqual([0, 1, 2, 3].flatMap((n) => [`day ${n}`, `warning ${n}`, `published ${n}`]));
    expect(log.indexOf("begin 1")).toBeLessThan(log.indexOf("publish 0"));
    expect(log.indexOf("begin 2")).toBeGreaterThan(log.indexOf("publish 0"));
    expect(log.filter((line) => line.startsWith("publish"))).toEqual([0, 1, 2, 3].map((n) => `publish ${n}`));
    expect(done).toEqual([0, 1, 2, 3].map((n) => [n, "fulfilled"]));
  });

  test("one after the other where that is asked for", async () => {
    const [told, log]: [Told, string[]] = [[], []];
    await inOrder(
      3,
      recording(told),
      () => false,
      day(told, log, () => 1),
      () => {},
    );
    expect(log).toEqual([0, 1, 2].flatMap((n) => [`begin ${n}`, `publish ${n}`]));
  });

  test("one that fails stops the one that is begun, of which nothing is told or published", async () => {
    const [told, log]: [Told, string[]] = [[], []];
    const work = day(
      told,
      log,
      (index) => 20 + index,
      (index) => index === 1,
    );
    const stopping = inOrder(
      4,
      recording(told),
      () => true,
      work,
      (_, outcome) => {
        if (outcome.status === "rejected") throw outcome.reason;
      },
    );
    await expect(stopping).rejects.toThrow("day 1");
    expect(told).toEqual(["day 0", "warning 0", "published 0", "day 1", "warning 1"]);
    expect(log).toEqual(["begin 0", "begin 1", "publish 0", "begin 2"]);
  });

  test("a day that fails ahead of its turn is heard of in its turn", async () => {
    const [told, log, done]: [Told, string[], unknown[]] = [[], [], []];
    const work = day(
      told,
      log,
      (index) => (index === 0 ? 60 : 1),
      (index) => index === 1,
    );
    await inOrder(
      3,
      recording(told),
      () => true,
      work,
      (index, { status }) => void done.push([index, status]),
    );
    expect(done).toEqual([
      [0, "fulfilled"],
      [1, "rejected"],
      [2, "fulfilled"],
    ]);
    expect(log.filter((line) => line.startsWith("publish"))).toEqual(["publish 0", "publish 2"]);
  });

  test("a signal stops all that are begun", async () => {
    const [told, log]: [Told, string[]] = [[], []];
    const controller = new AbortController();
    const work = async (index: number, place: Place) => {
      log.push(`begin ${index}`);
      await new Promise((resolve) => place.effects.signal.addEventListener("abort", resolve));
      log.push(`end ${index}`);
      throw place.effects.signal.reason;
    };
    setTimeout(() => controller.abort(new Error("stopped")), 10);
    const running = inOrder(
      3,
      recording(told, controller.signal),
      () => true,
      work,
      (_, outcome) => {
        if (outcome.status === "rejected") throw outcome.reason;
      },
    );
    await expect(running).rejects.toThrow("stopped");
    expect(log).toEqual(["begin 0", "begin 1", "end 0", "end 1"]);
  });
});

describe("whether it is worth it", () => {
  const small = { files: [{ bytes: 1000 }] } as unknown as DayPlan;
  const large = { files: [{ bytes: defaultMemoryLimit() }] } as unknown as DayPlan;
  const free = { engine: "duckdb", threads: 2, memoryLimitBytes: null, profile: false } as const;

  test("depends on memory, and on what was asked for", () => {
    const roomy = defaultMemoryLimit() >= 2 * 2_000_000_000;
    expect(isWorthCountingAhead(free, small, small)).toBe(roomy);
    expect(isWorthCountingAhead(free, small, large)).toBe(false);
    for (const asked of [{ threads: 1 }, { memoryLimitBytes: 1e9 }, { profile: true }, { engine: "spark" } as const]) {
      expect(isWorthCountingAhead({ ...free, ...asked }, small, small)).toBe(false);
    }
  });
});

const tables = (out: string) =>
  Object.fromEntries(Object.entries(snapshot(out, { mtimes: false })).filter(([path]) => !path.includes("_presence")));

describe("a range of days", () => {
  const lake = new SmallLake(tempFolder("lake-"), [-24, 24 * 5]);
  const range = { kind: "range", from: "2024-01-15", to: "2024-01-18" } as const;
  const nowMs = Date.parse("2024-02-01T00:00:00Z");

  test("comes to the same as its days one by one, and leaves nothing of a day that was begun after one that failed", async () => {
    for (const hour of [2, 26, 50, 74]) await lake.add(hour, ["u1", "u2"]);
    const [together, apart, temp] = [tempFolder("mart-"), tempFolder("mart-"), tempFolder("temp-")];
    const free = { threads: 2, memoryLimitBytes: null, tempDir: temp };
    await rebuild(rebuildOptions(lake.folder, together, { days: range, ...free }), effects({ nowMs }));
    for (const date of ["2024-01-15", "2024-01-16", "2024-01-17", "2024-01-18"]) {
      const days = { kind: "date", date } as const;
      await rebuild(rebuildOptions(lake.folder, apart, { days, ...free, threads: 1 }), effects({ nowMs }));
    }
    expect(tables(together)).toEqual(tables(apart));
    expect(Object.keys(tables(together)).length).toBeGreaterThan(20);

    await lake.add(50, ["u1", "u2"], { name: "again.parquet" });
    const mart = tempFolder("mart-");
    const refusing = { days: range, ...free, maxQuarantined: 0.1 };
    await expect(rebuild(rebuildOptions(lake.folder, mart, refusing), effects({ nowMs }))).rejects.toThrow(
      "2024-01-17 was not published",
    );
    expect(readdirSync(join(mart, "user_daily/metric=connected/version=1")).sort()).toEqual([
      "date=2024-01-15",
      "date=2024-01-16",
    ]);
    expect(readdirSync(temp)).toEqual([]);
  }, 60_000);
});

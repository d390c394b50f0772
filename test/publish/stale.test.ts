import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { DayRequest } from "../../src/plan/days.ts";
import { DEFAULT_SETTINGS } from "../../src/plan/settings.ts";
import { readHead } from "../../src/publish/commit.ts";
import { LocalStore } from "../../src/storage/local-store.ts";
import { planRebuild, rebuild } from "../../src/usecases/rebuild.ts";
import { status } from "../../src/usecases/status.ts";
import { build, effects, NOW, published, rebuildOptions } from "./mart-tools.ts";
import { SmallLake, tempFolder } from "./small-lake.ts";

const DAYS: DayRequest = { kind: "range", from: "2024-01-13", to: "2024-01-16" };
const TWO_DAYS: DayRequest = { kind: "range", from: "2024-01-15", to: "2024-01-16" };
const HOUR = 3_600_000;

/** State and reasons of each day and definition, as text. */
async function states(
  lake: SmallLake,
  out: string,
  changes: { eventTypes?: string[]; nowMs?: number; days?: DayRequest } = {},
) {
  const options = { out, lake: lake.folder, days: changes.days ?? DAYS, zone: "UTC", metrics: ["connected"] };
  const { rows, toDo } = await status(
    { ...options, eventTypes: changes.eventTypes ?? [] },
    effects({ nowMs: changes.nowMs ?? NOW }),
  );
  const said = rows.map(({ day, state, reasons }) => [day.slice(8), [state, ...reasons].join(" ")]);
  return { ...Object.fromEntries(said), toDo } as Record<string, string | number>;
}

async function start(): Promise<{ lake: SmallLake; out: string }> {
  const lake = new SmallLake(tempFolder("lake-"), [-72, 50]);
  for (const hour of [-40, -14, 10, 34]) await lake.add(hour, ["a"]);
  return { lake, out: join(tempFolder(), "mart") };
}

const stale = { stale: true, days: DAYS, metrics: ["connected"] };
const two = { ...stale, days: TWO_DAYS };
const TWO = { days: TWO_DAYS };
const CURRENT = { "13": "current", "14": "current", "15": "current", "16": "current", toDo: 0 };

test("a mart that is not there yet misses every day, and --stale builds them", async () => {
  const { lake, out } = await start();
  expect(await states(lake, out)).toEqual({
    "13": "missing",
    "14": "missing",
    "15": "missing",
    "16": "missing",
    toDo: 4,
  });
  expect((await build(lake.folder, out, stale)).days.map(({ day }) => day)).toHaveLength(4);
  expect(await states(lake, out)).toEqual(CURRENT);
  expect((await build(lake.folder, out, stale)).days).toEqual([]);
});

test("a late or changed file makes stale the days whose read window it touches, and no other", async () => {
  const { lake, out } = await start();
  await build(lake.folder, out, stale);
  // 13:00 of the 14th lies in the day itself and in the lookback of the 15th.
  await lake.add(-11, ["late"]);
  expect(await states(lake, out)).toEqual({ ...CURRENT, "14": "stale input", "15": "stale input", toDo: 2 });
  const plan = await planRebuild(rebuildOptions(lake.folder, out, { ...stale, dryRun: true }), effects());
  expect(plan.days.map(({ day, why }) => [day, why[0]?.state])).toEqual([
    ["2024-01-14", "stale"],
    ["2024-01-15", "stale"],
  ]);
  const before = published(out);
  await build(lake.folder, out, stale);
  const changed = Object.entries(published(out)).filter(([path, file]) => before[path] !== file);
  for (const [path] of changed) expect(path).toContain("date=2024-01-14");
  expect(await states(lake, out)).toEqual(CURRENT);
  lake.touch(34);
  expect(await states(lake, out)).toEqual({ ...CURRENT, "16": "stale input", toDo: 1 });
  // The lookahead of the 15th ends at 01:00 of the 16th; the slack of partitions reaches into the hour after it.
  await lake.add(25, ["x"]);
  expect(await states(lake, out)).toMatchObject({ "14": "current", "15": "stale input", "16": "stale input" });
  lake.remove(25);
  await lake.add(26, ["x"]);
  expect(await states(lake, out)).toMatchObject({ "15": "current", "16": "stale input" });
});

test("files that are gone are no reason to rebuild, a compacted hour is", async () => {
  const { lake, out } = await start();
  await lake.add(-14, ["b"], { name: "part-1.parquet" });
  await build(lake.folder, out, stale);
  const before = published(out);
  rmSync(dirname(lake.path(-40)), { recursive: true });
  lake.remove(-14, "part-0.parquet");
  lake.remove(-14, "part-1.parquet");
  await lake.add(-14, ["a", "b"], { name: "compact.parquet" });
  expect(await states(lake, out)).toEqual({
    "13": "source gone",
    "14": "source gone",
    "15": "stale input",
    "16": "current",
    toDo: 1,
  });
  expect((await build(lake.folder, out, stale)).days.map(({ day, published }) => [day, published])).toEqual([
    ["2024-01-15", "inputs"],
  ]);
  expect(published(out)).toEqual(before);
  // A definition that the date never had is not counted from what is left either.
  const { days } = await build(lake.folder, out, { ...stale, metrics: ["foreground"] });
  expect(days.map(({ day }) => day)).toEqual(["2024-01-15", "2024-01-16"]);
});

test("event types that grow make every day stale, until it is rebuilt", async () => {
  const { lake, out } = await start();
  await build(lake.folder, out, two);
  const before = published(out);
  expect(await states(lake, out, { ...TWO, eventTypes: ["LIKE"] })).toMatchObject({
    "15": "stale eventTypes",
    toDo: 2,
  });
  await build(lake.folder, out, { ...two, settings: { ...DEFAULT_SETTINGS, eventTypes: ["LIKE"] } });
  expect(published(out)).toEqual(before);
  // The mart knows the list from then on.
  expect(await states(lake, out, TWO)).toEqual({ "15": "current", "16": "current", toDo: 0 });
});

test("a day built before it was over is stale once it is, one with missing hours is incomplete", async () => {
  const { lake, out } = await start();
  const early = NOW - 20 * HOUR;
  const days = { kind: "date", date: "2024-01-16" } as const;
  const options = rebuildOptions(lake.folder, out, { metrics: ["connected"], days, allowUnfinished: true });
  await rebuild(options, effects({ nowMs: early }));
  expect(await states(lake, out, { nowMs: early })).toMatchObject({ "16": "incomplete" });
  expect(await states(lake, out)).toMatchObject({ "16": "stale input" });
  rmSync(dirname(lake.path(36)), { recursive: true });
  await build(lake.folder, out, { ...two, missingHours: 1 });
  expect(await states(lake, out, TWO)).toMatchObject({ "16": "incomplete", toDo: 0 });
  lake.success(36);
  expect(await states(lake, out, TWO)).toMatchObject({ "16": "stale input", toDo: 1 });
});

test("--stale builds what it can, names what it cannot, and ends with 3", async () => {
  const { lake, out } = await start();
  rmSync(dirname(lake.path(-20)), { recursive: true });
  const told = effects();
  await expect(rebuild(rebuildOptions(lake.folder, out, stale), told)).rejects.toMatchObject({
    exitCode: 3,
    message: /2024-01-14 lacks an hour/,
  });
  expect(await states(lake, out)).toEqual({ ...CURRENT, "14": "missing", toDo: 1 });
  expect(told.warnings.join()).toContain("2024-01-14 lacks an hour");
});

test("a half-published date is told, and mended by the next run, stale or not", async () => {
  const { lake, out } = await start();
  await build(lake.folder, out, two);
  const before = published(out);
  rmSync(join(out, "user_daily/metric=connected/version=1/date=2024-01-15/part-00000.parquet"));
  expect(await states(lake, out, TWO)).toEqual({ "15": "half-published", "16": "current", toDo: 1 });
  expect((await build(lake.folder, out, two)).days).toEqual([]);
  expect(published(out)).toEqual(before);
  // What is damaged in its run, too, is counted anew, and nothing refers to that run any more.
  const damaged = join(out, "user_daily/metric=connected/version=1/date=2024-01-15/part-00000.parquet");
  writeFileSync(damaged, "no Parquet");
  expect(await states(lake, out, TWO)).toMatchObject({ "15": "half-published" });
  expect((await build(lake.folder, out, two)).days).toMatchObject([{ day: "2024-01-15", commit: 2 }]);
  expect(await states(lake, out, TWO)).toMatchObject({ "15": "current", toDo: 0 });
  const parts = (await readHead(new LocalStore(out), "2024-01-15"))!.parts;
  expect(new Set(Object.values(parts).map(({ run }) => run)).size).toBe(1);
});

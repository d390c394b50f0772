import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../src/plan/settings.ts";
import { readHead } from "../../src/publish/commit.ts";
import { LocalStore } from "../../src/storage/local-store.ts";
import { rebuild } from "../../src/usecases/rebuild.ts";
import { build, effects, leftovers, published, rebuildOptions, snapshot } from "./mart-tools.ts";
import { DAY, SmallLake, tempFolder } from "./small-lake.ts";

const NEXT = "2024-01-16";
const head = (out: string, date = DAY) => readHead(new LocalStore(out), date);

async function lakeOf(hours: Record<number, string[]>): Promise<SmallLake> {
  const lake = new SmallLake(tempFolder("lake-"));
  for (const [hour, users] of Object.entries(hours)) await lake.add(Number(hour), users);
  return lake;
}

async function users(out: string, metric = "connected"): Promise<string[]> {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const glob = join(out, "user_daily", `metric=${metric}`, "**/*.parquet");
  const reader = await connection.runAndReadAll(`select user_id from read_parquet('${glob}') order by all`);
  return reader.getRows().map(([user]) => String(user));
}

describe("one date and definition is rebuilt, all else stays", () => {
  test("fault 49: another date leaves a date's files unchanged, byte and mtime", async () => {
    const lake = await lakeOf({ 10: ["a", "b"], 30: ["a"] });
    const out = join(tempFolder(), "mart");
    await build(lake.folder, out);
    const before = published(out);
    await build(lake.folder, out, { days: { kind: "date", date: NEXT }, allowUnfinished: true, missingHours: 48 });
    expect(published(out)).toMatchObject(before);
    expect(Object.keys(published(out)).length).toBe(2 * Object.keys(before).length);
  });

  test("a subset of the definitions rewrites its own files and the date's events, where they differ", async () => {
    const lake = await lakeOf({ 10: ["a", "b"] });
    const out = join(tempFolder(), "mart");
    await build(lake.folder, out);
    const before = published(out);
    await lake.add(11, ["c"]);
    const result = await build(lake.folder, out, { metrics: ["connected"] });
    expect(result.days[0]).toMatchObject({ published: "files", commit: 2 });
    const after = published(out);
    const changed = Object.keys(after).filter((path) => after[path] !== before[path]);
    expect(changed).not.toEqual([]);
    for (const path of changed) expect(path).toContain("metric=connected");
    const now = (await head(out))!.parts;
    expect(now["foreground@1"]!.inputs).not.toBe(now["connected@1"]!.inputs);
    expect(now.events!.run).toBe(now["connected@1"]!.run);
  });

  test("fault 48: a run that finds fewer users leaves none of the others", async () => {
    const lake = await lakeOf({ 10: ["a", "b"], 11: ["c", "d", "e"] });
    const out = join(tempFolder(), "mart");
    await build(lake.folder, out);
    expect(await users(out)).toEqual(["a", "b", "c", "d", "e"]);
    lake.remove(11);
    await expect(build(lake.folder, out)).rejects.toMatchObject({ exitCode: 3, message: /no longer has: .*hour=11/ });
    await build(lake.folder, out, { force: true });
    expect(await users(out)).toEqual(["a", "b"]);
  });

  test("fault 2: a date's rows are the same alone and among others, byte for byte", async () => {
    const lake = await lakeOf({ "-2": ["a"], 23: ["a", "b"], 24: ["b"], 40: ["c"] } as Record<number, string[]>);
    const [alone, among] = [join(tempFolder(), "mart"), join(tempFolder(), "mart")];
    await build(lake.folder, alone);
    const days = { kind: "range", from: "2024-01-14", to: NEXT } as const;
    await build(lake.folder, among, { days, missingHours: 48, allowUnfinished: true });
    expect(published(among, { mtimes: false })).toMatchObject(published(alone, { mtimes: false }));
  });
});

describe("a rerun", () => {
  test("of the same inputs has nothing to do and writes nothing", async () => {
    const lake = await lakeOf({ 10: ["a"] });
    const out = join(tempFolder(), "mart");
    await build(lake.folder, out);
    const before = snapshot(out);
    const result = await build(lake.folder, out);
    expect(result.days[0]).toMatchObject({ published: "nothing", commit: null });
    expect(snapshot(out)).toEqual(before);
  });

  test("of a compacted lake only records the new inputs", async () => {
    const lake = await lakeOf({});
    await lake.add(10, ["a"], { name: "part-0.parquet" });
    await lake.add(10, ["b"], { name: "part-1.parquet" });
    const out = join(tempFolder(), "mart");
    await build(lake.folder, out);
    const before = published(out);
    lake.remove(10, "part-0.parquet");
    lake.remove(10, "part-1.parquet");
    await lake.add(10, ["a", "b"], { name: "compact.parquet" });
    const result = await build(lake.folder, out);
    expect(result.days[0]).toMatchObject({ published: "inputs", commit: 2 });
    expect(published(out)).toEqual(before);
  });

  test("mends files that were damaged or removed", async () => {
    const lake = await lakeOf({ 10: ["a"] });
    const out = join(tempFolder(), "mart");
    await build(lake.folder, out);
    const wanted = published(out, { mtimes: false });
    const { rmSync, writeFileSync } = await import("node:fs");
    const [first, second] = Object.keys(wanted);
    rmSync(join(out, first!));
    // The run's file is the same one by its hard link, so that only counting anew can mend it.
    writeFileSync(join(out, second!), "no Parquet");
    await build(lake.folder, out);
    expect(published(out, { mtimes: false })).toEqual(wanted);
  });
});

describe("two at once", () => {
  test("faults 45 and 47: the same date and definitions give one row per user", async () => {
    const lake = await lakeOf({ 10: ["a", "b"] });
    const out = join(tempFolder(), "mart");
    const results = await Promise.allSettled([
      build(lake.folder, out),
      build(lake.folder, out),
      build(lake.folder, out),
    ]);
    for (const result of results) expect(result.status).toBe("fulfilled");
    expect(await users(out)).toEqual(["a", "b"]);
    expect((await head(out))!.number).toBe(1);
    expect(leftovers(out)).toEqual([]);
  });

  test("different definitions both succeed, on top of each other", async () => {
    const lake = await lakeOf({ 10: ["a"] });
    const out = join(tempFolder(), "mart");
    await Promise.all(
      ["connected", "foreground", "active"].map((metric) => build(lake.folder, out, { metrics: [metric] })),
    );
    const parts = (await head(out))!.parts;
    expect(Object.keys(parts).sort()).toEqual(["active@1", "connected@1", "events", "foreground@1"]);
    expect(leftovers(out)).toEqual([]);
  });

  test("the same definition from other inputs: the one that is outrun exits 5", async () => {
    const lake = await lakeOf({ 10: ["a"] });
    const out = join(tempFolder(), "mart");
    let interfered = false;
    const slow = effects({
      progress: () => {},
      openStore: (location) => {
        const store = new LocalStore(location);
        const put = store.putFile.bind(store);
        store.putFile = async (key, file) => {
          // While this run stores its files, another one counts a lake that has got a file more.
          if (!interfered) {
            interfered = true;
            await lake.add(11, ["b"]);
            await build(lake.folder, out);
          }
          await put(key, file);
        };
        return store;
      },
    });
    await expect(rebuild(rebuildOptions(lake.folder, out), slow)).rejects.toMatchObject({ exitCode: 5 });
    expect(await users(out)).toEqual(["a", "b"]);
    expect((await head(out))!.number).toBe(1);
    expect(leftovers(out)).toEqual([]);
  });
});

describe("the mart's identity", () => {
  test("refuses another zone, other lake settings and fewer event types, and says the way out", async () => {
    const lake = await lakeOf({ 10: ["a"] });
    const out = join(tempFolder(), "mart");
    const grown = { ...DEFAULT_SETTINGS, eventTypes: ["LIKE"] };
    await build(lake.folder, out, { settings: grown });
    const before = snapshot(out);
    const refused = (changes: object) => build(lake.folder, out, { settings: grown, ...changes });
    await expect(refused({ zone: "Asia/Shanghai" })).rejects.toMatchObject({
      exitCode: 2,
      message: /days are those of UTC/,
    });
    await expect(refused({ settings: { ...grown, lookbackMs: 1000 * 3600 } })).rejects.toMatchObject({
      exitCode: 2,
      message: /lookback/,
      hint: /another --out/,
    });
    await expect(refused({ settings: DEFAULT_SETTINGS })).rejects.toMatchObject({ exitCode: 2, message: /LIKE/ });
    expect(snapshot(out)).toEqual(before);
  });

  test("refuses another meaning of a name@version", async () => {
    const { writeFileSync } = await import("node:fs");
    const lake = await lakeOf({ 10: ["a"] });
    const folder = tempFolder();
    const file = join(folder, "own.yaml");
    const write = (tail: string) =>
      writeFileSync(file, `name: own\nversion: 1\nonline: connected\ngap: { max: 90s, credit: 30s }\ntail: ${tail}\n`);
    write("30s");
    await build(lake.folder, join(folder, "mart"), { metrics: [file] });
    write("20s");
    await expect(build(lake.folder, join(folder, "mart"), { metrics: [file] })).rejects.toMatchObject({
      exitCode: 2,
      message: /own@1 means something else/,
      hint: /own@2/,
    });
  });

  test("of two first runs of different zones one decides", async () => {
    const lake = await lakeOf({ 10: ["a"] });
    const out = join(tempFolder(), "mart");
    const zones = ["UTC", "Europe/London"];
    const results = await Promise.allSettled(zones.map((zone) => build(lake.folder, out, { zone })));
    const failed = results.filter((result) => result.status === "rejected");
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatchObject({ reason: { exitCode: 2 } });
    expect(leftovers(out)).toEqual([]);
  });
});

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { beforeAll, describe, expect, test } from "vitest";
import { readHead } from "../../src/publish/commit.ts";
import { SYSTEM_FILES } from "../../src/storage/local-files.ts";
import { LocalStore } from "../../src/storage/local-store.ts";
import { gc } from "../../src/usecases/gc.ts";
import { rollback } from "../../src/usecases/rollback.ts";
import { status } from "../../src/usecases/status.ts";
import { type VerifyOptions, verify } from "../../src/usecases/verify.ts";
import { build, effects, filesBelow, leftovers, published, snapshot } from "./mart-tools.ts";
import { DAY, SmallLake, tempFolder } from "./small-lake.ts";

const lake = new SmallLake(tempFolder("lake-"));
const out = join(tempFolder(), "mart");
const resources = { threads: 1, memoryLimitBytes: 500_000_000, tempDir: null };

beforeAll(async () => {
  await lake.add(10, ["a", "b"]);
  await build(lake.folder, out);
  await lake.add(11, ["c"]);
  await build(lake.folder, out);
});

async function problems(changes: Partial<VerifyOptions> = {}): Promise<string[]> {
  const view = { out, zone: null, metrics: null, eventTypes: [] };
  const options = { ...view, days: { kind: "none" } as const, data: false, repair: false, recompute: null, resources };
  const result = await verify({ ...options, ...changes }, { ...effects(), progress: () => {} });
  return result.findings.map(({ path, problem, repaired }) => `${problem}${repaired ? " (repaired)" : ""}: ${path}`);
}

const userDaily = `user_daily/metric=connected/version=1/date=${DAY}/part-00000.parquet`;

describe("verify", () => {
  test("finds nothing in a sound mart, nor in what it would count again", async () => {
    expect(await problems({ data: true, recompute: lake.folder })).toEqual([]);
  });

  test("refuses days of which the mart has none", async () => {
    const days = { kind: "date", date: "2024-02-01" } as const;
    await expect(problems({ days })).rejects.toThrow(/has no day 2024-02-01/);
  });

  test("finds a flipped byte in every published and run file", async () => {
    const paths = filesBelow(out).filter((path) => !path.startsWith("_presence") || path.startsWith("_presence/runs"));
    expect(paths.length).toBeGreaterThan(50);
    for (const path of paths) {
      const file = join(out, path);
      const sound = readFileSync(file);
      const flipped = Buffer.from(sound);
      const at = Math.floor(flipped.length / 2);
      flipped[at] = flipped[at]! ^ 1;
      writeFileSync(file, flipped);
      expect((await problems()).join(), path).toContain(path);
      writeFileSync(file, sound);
    }
    expect(await problems()).toEqual([]);
  });

  test("repairs what is published wrongly, and tells what only a rebuild mends", async () => {
    const out = join(tempFolder(), "mart");
    await build(lake.folder, out, { metrics: ["connected"] });
    const wanted = published(out, { mtimes: false });
    rmSync(join(out, userDaily));
    const devices = userDaily.replace("user_daily", "device_daily");
    rmSync(join(out, devices));
    writeFileSync(join(out, devices), "another file");
    expect(await problems({ out })).toEqual([`published missing: ${userDaily}`, `published differs: ${devices}`]);
    expect(await problems({ out, repair: true })).toEqual([
      `published missing (repaired): ${userDaily}`,
      `published differs (repaired): ${devices}`,
    ]);
    expect(published(out, { mtimes: false })).toEqual(wanted);
    // Hard links: run and published file are one.
    writeFileSync(join(out, devices), "another file");
    expect((await problems({ out, repair: true })).join()).not.toContain("(repaired)");
    await build(lake.folder, out, { metrics: ["connected"] });
    expect((await problems({ out })).filter((text) => text.startsWith("published"))).toEqual([]);
    expect(published(out, { mtimes: false })).toEqual(wanted);
  });

  test("finds a file that no commit knows", async () => {
    const stranger = userDaily.replace("part-00000", "copy");
    writeFileSync(join(out, stranger), readFileSync(join(out, userDaily)));
    expect(await problems()).toContain(`not of the mart: ${stranger}`);
    rmSync(join(out, stranger));
  });

  test("runs the checks over what is published, and tells rows that counting again does not give", async () => {
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    const forged = join(tempFolder(), "mart");
    await build(lake.folder, forged, { metrics: ["connected"] });
    const file = join(forged, userDaily);
    await connection.run(
      `copy (select * replace (online_ms + 100000000 as online_ms) from '${file}') to '${file}.new' (format parquet)`,
    );
    writeFileSync(file, readFileSync(`${file}.new`));
    rmSync(`${file}.new`);
    const found = await problems({ out: forged, data: true });
    expect(found.filter((text) => text.startsWith("check failed"))).toHaveLength(2);
    await lake.add(12, ["d"]);
    expect(await problems({ out: forged, recompute: lake.folder })).toContain("not comparable: connected@1");
    lake.remove(12);
  });
});

test.each(["read", "stat", "readdir"] as const)("a mart that may not be read is told so (2): %s", async (call) => {
  const refused = async (path: string) => {
    throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES", path });
  };
  const store = new LocalStore(out, { ...SYSTEM_FILES, [call]: refused });
  const forbidden = { ...effects(), openStore: () => store, progress: () => {} };
  const view = { out, zone: null, metrics: null, eventTypes: [], days: { kind: "none" } as const };
  await expect(
    verify({ ...view, data: false, repair: false, recompute: null, resources }, forbidden),
  ).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(/^no permission to read \S+ of the mart$/) });
});

describe("rollback and gc", () => {
  const view = {
    lake: lake.folder,
    zone: null,
    metrics: null,
    eventTypes: [],
    days: { kind: "date", date: DAY } as const,
  };

  test("a definition goes back to an earlier commit, the others stay", async () => {
    const before = published(out);
    const result = await rollback({ out, date: DAY, metric: "connected", to: 1 }, effects());
    expect(result.replaced.length).toBeGreaterThan(0);
    const changed = Object.entries(published(out)).filter(([path, file]) => before[path] !== file);
    for (const [path] of changed) expect(path).toContain("metric=connected");
    const head = (await readHead(new LocalStore(out), DAY))!;
    expect(head).toMatchObject({ reason: "rollback", number: result.commit });
    expect(await problems({ data: true })).toEqual([]);
    const { rows } = await status({ out, ...view }, effects());
    expect(rows.map(({ metric, state }) => `${metric} ${state}`)).toEqual(["connected stale", "foreground current"]);
    expect((await rollback({ out, date: DAY, metric: "connected@1", to: 1 }, effects())).commit).toBeNull();
    await rollback({ out, date: DAY, metric: "connected", to: head.number - 1 }, effects());
    expect(published(out, { mtimes: false })).toEqual(
      Object.fromEntries(Object.entries(before).map(([path, file]) => [path, file.split(" ")[0]])),
    );
  });

  test("refuses what is not there", async () => {
    const back = (changes: object) => rollback({ out, date: DAY, metric: "connected", to: 1, ...changes }, effects());
    await expect(back({ to: 99 })).rejects.toMatchObject({ exitCode: 2, message: /no commit 99/ });
    await expect(back({ metric: "active" })).rejects.toMatchObject({ exitCode: 2, hint: /connected@1/ });
    await expect(back({ date: "2024-01-14" })).rejects.toMatchObject({ exitCode: 2 });
    await expect(back({ out: tempFolder() })).rejects.toMatchObject({ exitCode: 2, message: /no mart/ });
  });

  test("gc keeps what is published and what the grace covers, and removes the rest", async () => {
    const before = snapshot(out);
    const later = effects({ nowMs: Date.now() + 3_600_000 });
    const options = { out, graceMs: 7 * 24 * 3_600_000, dryRun: false, tempDir: tempFolder() };
    expect(await gc(options, later)).toMatchObject({ runs: [], leftovers: [] });
    const dry = await gc({ ...options, graceMs: 0, dryRun: true }, later);
    expect(dry.runs.length).toBeGreaterThan(0);
    expect(snapshot(out)).toEqual(before);
    // A clock that jumps back makes nothing old.
    expect((await gc({ ...options, graceMs: 0 }, effects({ nowMs: 0 }))).runs).toEqual([]);
    const faces = published(out);
    expect((await gc({ ...options, graceMs: 0 }, later)).runs).toEqual(dry.runs);
    for (const { run } of dry.runs) expect(existsSync(join(out, "_presence/runs", run))).toBe(false);
    expect(published(out)).toEqual(faces);
    expect(await problems({ data: true })).toEqual([]);
    expect(leftovers(out)).toEqual([]);
    const to = rollback({ out, date: DAY, metric: "connected", to: 1 }, effects());
    await expect(to).rejects.toMatchObject({ exitCode: 3, message: /gone/ });
    expect(leftovers(out)).toEqual([]);
  });

  test("gc of a folder that is no mart is a mistake, but not of one that a first run has only begun", async () => {
    const empty = tempFolder();
    const options = { out: empty, graceMs: 0, dryRun: false, tempDir: tempFolder() };
    await expect(gc(options, effects())).rejects.toMatchObject({ exitCode: 2, message: /no mart/ });
    await expect(gc({ ...options, out: lake.folder }, effects())).rejects.toMatchObject({ exitCode: 2 });
    mkdirSync(join(empty, "_presence/runs/r1"), { recursive: true });
    writeFileSync(join(empty, "_presence/runs/r1/manifest.json"), "{}");
    const later = effects({ nowMs: Date.now() + 3_600_000 });
    expect((await gc(options, later)).runs).toMatchObject([{ run: "r1" }]);
  });
});

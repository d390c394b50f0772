import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { DuckDbSession } from "../../src/engine/duckdb/session.ts";
import { localLakeStore } from "../../src/lake/lake-store.ts";
import { s3LakeStore } from "../../src/lake/s3-lake-store.ts";
import type { RebuildOptions } from "../../src/plan/rebuild-options.ts";
import { isS3 } from "../../src/storage/s3-location.ts";
import { explain } from "../../src/usecases/explain.ts";
import { rebuild } from "../../src/usecases/rebuild.ts";
import { verify } from "../../src/usecases/verify.ts";
import { build, filesBelow, published, rebuildOptions } from "../publish/mart-tools.ts";
import { DAY, partition, SmallLake, tempFolder } from "../publish/small-lake.ts";
import type { SeenRequest } from "./fake-s3.ts";
import { FAST, fakeS3, fill, isData, optionsOf, s3Effects } from "./s3-tools.ts";

const server = fakeS3();
const lake = new SmallLake(tempFolder("lake-"), [-48, 72]);
const THREE_DAYS = { kind: "range", from: "2024-01-14", to: "2024-01-16" } as const;
const days: Partial<RebuildOptions> = { days: THREE_DAYS, metrics: ["connected"] };
const temp = tempFolder("private-");
let wanted: Record<string, string>;

beforeAll(async () => {
  // Every third hour has a file, some events of which come again in the next.
  for (let hour = -48; hour < 72; hour += 3) {
    const path = await lake.add(hour, ["a", "b", `of ${hour}`]);
    if (hour % 2 === 0) writeFileSync(lake.path(hour, "again.parquet"), readFileSync(path));
  }
  const clean = join(tempFolder(), "mart");
  await build(lake.folder, clean, days);
  wanted = published(clean, { mtimes: false });
  expect(Object.keys(wanted).length).toBeGreaterThan(20);
});

const sizes = () => filesBelow(lake.folder).map((path) => statSync(join(lake.folder, path)).size);
/** Room for a few of the lake's files. */
const small = () => 4 * Math.max(...sizes());

/** Bytes of the lake's files that lie in private folders now. */
function stagedBytes(): number {
  let bytes = 0;
  for (const path of filesBelow(temp)) {
    if (!/^[^/]+\/\d{6}\.parquet/.test(path)) continue;
    const found = statSync(join(temp, path), { throwIfNoEntry: false });
    bytes += Math.min(found?.size ?? 0, (found?.blocks ?? 0) * 512);
  }
  return bytes;
}

function withLimit(stagingLimitBytes: number | null, downloadConcurrency = 3) {
  const options = { ...optionsOf(server.endpoint), stagingLimitBytes, downloadConcurrency };
  return s3Effects(server.endpoint, {
    openLake: (at) => (isS3(at) ? s3LakeStore(at, options, FAST) : localLakeStore(at)),
  });
}

/** Rebuilds from the bucket into a folder; gives the folder and the most that was staged. */
async function run(limit: number | null, changes: Partial<RebuildOptions> = days) {
  const out = join(tempFolder(), "mart");
  let most = 0;
  const look = () => {
    most = Math.max(most, stagedBytes());
  };
  const timer = setInterval(look, 1);
  try {
    const options = rebuildOptions("s3://lake/events", out, { tempDir: temp, ...changes });
    const result = await rebuild(options, withLimit(limit)).catch((failure: unknown) => ({ failure }));
    return { out, most, failure: "failure" in result ? result.failure : null };
  } finally {
    clearInterval(timer);
    expect(readdirSync(temp), "private folders").toEqual([]);
  }
}

const isWhole = (request: SeenRequest) => isData(request) && request.headers.range === undefined;

function fetches(): number[] {
  const counts = new Map<string, number>();
  for (const { key } of server.seen.filter(isWhole)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts.values()];
}

describe("three days of a lake in a bucket", () => {
  test("with a budget for a few files come to the same bytes, and no more than the budget is ever staged", async () => {
    fill(server, lake.folder, "lake/events");
    const { out, most, failure } = await run(small());
    expect(failure).toBe(null);
    expect(published(out, { mtimes: false })).toEqual(wanted);
    expect(most).toBeGreaterThan(small() / 4);
    expect(most).toBeLessThanOrEqual(small());
    // Not all of it was there at once: most files came more than once, each time as the version that was listed.
    expect(fetches().filter((count) => count > 1).length).toBeGreaterThan(20);
    expect(server.seen.filter(isWhole).every(({ headers }) => headers["if-match"] !== undefined)).toBe(true);
  });

  test("where there is room, each object is fetched once, also those that all days read", async () => {
    fill(server, lake.folder, "lake/events");
    const { out, failure } = await run(null);
    expect(failure).toBe(null);
    expect(published(out, { mtimes: false })).toEqual(wanted);
    // What the first day's lookback begins after is no day's.
    expect(fetches().length).toBeGreaterThan(30);
    expect(new Set(fetches())).toEqual(new Set([1]));
  });

  test.each([
    ["replaced", (path: string) => server.set(path, "another"), "was replaced"],
    ["deleted", (path: string) => server.objects.delete(path), "was deleted"],
  ])("an object that is %s between two fetches ends the run with 3; the next run is clean", async (_, change, said) => {
    fill(server, lake.folder, "lake/events");
    const seen = new Set<string>();
    let changed = "";
    server.fault = (request) => {
      const path = `lake/${request.key}`;
      if (isWhole(request) && seen.has(path) && changed === "") {
        changed = path;
        change(path);
      }
      if (isWhole(request)) seen.add(path);
      return null;
    };
    const { out, failure } = await run(small(), { metrics: ["connected"] });
    expect(changed).not.toBe("");
    expect(failure).toMatchObject({ exitCode: 3, message: expect.stringContaining(said) });
    expect(String((failure as Error).message)).toContain(changed.slice("lake/".length));
    expect(filesBelow(out).filter((path) => path.endsWith(".parquet"))).toEqual([]);
    server.fault = () => null;
    fill(server, lake.folder, "lake/events");
    const again = await run(small());
    expect(published(again.out, { mtimes: false })).toEqual(wanted);
  });

  test("what cannot be fetched ahead for the next day does not touch this one", async () => {
    fill(server, lake.folder, "lake/events");
    // Only the third day reads this hour.
    server.fault = ({ key }) => (key.includes(partition(45)) ? { status: 403, code: "AccessDenied" } : null);
    const { out, failure } = await run(null);
    expect(failure).toMatchObject({ exitCode: 3, message: expect.stringContaining(partition(45)) });
    const ofDays = (paths: string[]) => paths.filter((path) => !path.includes("date=2024-01-16"));
    expect(Object.keys(published(out))).toEqual(ofDays(Object.keys(wanted)));
  });

  test("a run that is stopped while objects are coming leaves nothing, and asks for nothing more", async () => {
    fill(server, lake.folder, "lake/events");
    const stop = new AbortController();
    let asked = 0;
    server.fault = (request) => {
      if (isWhole(request) && ++asked === 12) stop.abort(new Error("stopped"));
      return null;
    };
    const out = join(tempFolder(), "mart");
    const options = rebuildOptions("s3://lake/events", out, { tempDir: temp, ...days });
    await expect(rebuild(options, { ...withLimit(small()), signal: stop.signal })).rejects.toThrow("stopped");
    expect(readdirSync(temp)).toEqual([]);
    const seen = server.seen.length;
    await new Promise((go) => setTimeout(go, 50));
    expect(server.seen.length).toBe(seen);
    expect(filesBelow(out).filter((path) => path.endsWith(".parquet"))).toEqual([]);
  });

  test("explain, and verify --recompute, keep to the budget and say the same", async () => {
    fill(server, lake.folder, "lake/events");
    const { out } = await run(small());
    const asked = {
      userId: "a",
      days: { kind: "date", date: DAY },
      zone: "UTC",
      out,
      metrics: ["connected"],
      eventTypes: [],
      fold: true,
      limit: 1000,
      threads: 1,
      memoryLimitBytes: 500_000_000,
      tempDir: temp,
    } as never;
    const explained = async (from: string, limit: number | null) =>
      explain({ ...(asked as object), lake: from } as never, withLimit(limit));
    const local = await explained(lake.folder, null);
    const remote = await explained("s3://lake/events", small());
    expect({ ...remote, source: null }).toEqual({ ...local, source: null });
    const { findings } = await verify(
      {
        out,
        zone: null,
        metrics: null,
        eventTypes: [],
        days: { kind: "date", date: DAY },
        data: false,
        repair: false,
        recompute: "s3://lake/events",
        resources: { threads: 1, memoryLimitBytes: 500_000_000, tempDir: temp },
      },
      { ...withLimit(small()), progress: () => {} },
    );
    expect(findings).toEqual([]);
  });
});

describe("large objects", () => {
  const big = new SmallLake(tempFolder("big-"));
  const HOURS = [8, 9, 10, 11];

  beforeAll(async () => {
    const connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
    for (const hour of HOURS) {
      mkdirSync(dirname(big.path(hour)), { recursive: true });
      const start = Date.parse(`${DAY}T00:00:00Z`) + hour * 3_600_000;
      await connection.run(`COPY (
        SELECT 'e-${hour}-' || i AS event_id, 'u-' || i % 100 AS user_id, 's-' || i % 100 AS session_id,
          'HEARTBEAT' AS event_type, make_timestamptz(${start * 1000} + (i // 100) * 15000000) AS server_time,
          ${hour * 1000} + i // 100 AS sequence, md5(i::varchar) || md5((i + ${hour})::varchar) AS note
        FROM range(27000) t(i)) TO '${big.path(hour)}' (FORMAT parquet, ROW_GROUP_SIZE 4096)`);
      expect(statSync(big.path(hour)).size).toBeGreaterThan(1_048_576);
    }
  });

  const one: Partial<RebuildOptions> = { metrics: ["connected"] };
  const local = async (changes = one) => {
    const out = join(tempFolder(), "mart");
    await build(big.folder, out, changes);
    return published(out, { mtimes: false });
  };
  const largest = () => Math.max(...HOURS.map((hour) => statSync(big.path(hour)).size));

  test("are probed by their ends, and read while others are still coming", async () => {
    fill(server, big.folder, "lake/events");
    let reading = false;
    const statement = vi.spyOn(DuckDbSession.prototype, "fillTable").mockImplementation(async function (
      this: DuckDbSession,
      sql: string,
    ) {
      if (/^(create table|insert into) identity_batches/.test(sql)) reading = true;
      const [row] = await this.rows(sql);
      return Number(row?.Count);
    });
    // The answer to the last hour does not come before the engine reads others.
    const last = `events/${partition(11)}/part-0.parquet`;
    let readBefore = false;
    server.delay = async (request) => {
      if (!isWhole(request) || request.key !== last) return;
      for (let waited = 0; !reading && waited < 10_000; waited += 5) await new Promise((go) => setTimeout(go, 5));
      readBefore = reading;
    };
    try {
      const { out, most, failure } = await run(3 * largest(), one);
      expect(failure).toBe(null);
      expect(readBefore).toBe(true);
      expect(most).toBeLessThanOrEqual(3 * largest());
      expect(published(out, { mtimes: false })).toEqual(await local());
    } finally {
      statement.mockRestore();
      server.delay = async () => {};
    }
    const parts = server.seen.filter((request) => isData(request) && request.headers.range !== undefined);
    expect(parts.length).toBeGreaterThan(0);
    expect(parts.every(({ headers }) => headers["if-match"] !== undefined)).toBe(true);
  });

  test("from a store that gives no parts come to the same", async () => {
    fill(server, big.folder, "lake/events");
    server.fault = ({ headers }) => (headers.range === undefined ? null : "no-ranges");
    const { out, failure } = await run(2 * largest(), one);
    expect(failure).toBe(null);
    expect(published(out, { mtimes: false })).toEqual(await local());
  });

  test.each<[string, (file: Buffer) => Buffer]>([
    ["a page", (file) => file.fill(0xff, file.length >> 1, (file.length >> 1) + 4000)],
    ["the head", (file) => file.fill(0, 0, 4)],
    ["the second half", (file) => file.subarray(0, file.length >> 1)],
    [
      "the footer's length",
      (file) => Buffer.concat([file.subarray(0, -8), Buffer.from("\xf0\xff\xff\xffPAR1", "latin1")]),
    ],
  ])("of which %s is damaged are found and named as in a folder", async (_, damage) => {
    const quarantine: Partial<RebuildOptions> = { ...one, onBadFile: "quarantine" };
    const kept = readFileSync(big.path(9));
    try {
      writeFileSync(big.path(9), damage(Buffer.from(kept)));
      fill(server, big.folder, "lake/events");
      const { out, failure } = await run(2 * largest(), quarantine);
      expect(failure).toBe(null);
      expect(published(out, { mtimes: false })).toEqual(await local(quarantine));
    } finally {
      writeFileSync(big.path(9), kept);
    }
  });
});

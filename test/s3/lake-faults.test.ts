import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { rebuild } from "../../src/usecases/rebuild.ts";
import { build, published, rebuildOptions } from "../publish/mart-tools.ts";
import { DAY, SmallLake, tempFolder } from "../publish/small-lake.ts";
import type { Fault, SeenRequest } from "./fake-s3.ts";
import { fakeS3, fill, isData, nth, s3Effects } from "./s3-tools.ts";

const server = fakeS3();
const lake = new SmallLake(tempFolder("lake-"));
const temp = tempFolder("private-");
let wanted: Record<string, string>;
let out = "";

beforeAll(async () => {
  for (const hour of [8, 9, 10, 11]) await lake.add(hour, ["a", "b", `of ${hour}`]);
  const clean = join(tempFolder(), "mart");
  await build(lake.folder, clean, { metrics: ["connected"] });
  wanted = published(clean, { mtimes: false });
});

/** Rebuilds the day from the bucket into a folder. */
async function run(fault: (request: SeenRequest) => Fault | null) {
  server.fault = fault;
  const options = rebuildOptions("s3://lake/events", out, { tempDir: temp, metrics: ["connected"] });
  return rebuild(options, s3Effects(server.endpoint));
}

const isList = ({ key }: SeenRequest) => key === "";
const never = () => null;

async function expectWhole(): Promise<void> {
  expect(readdirSync(temp), "private folders").toEqual([]);
  expect(published(out, { mtimes: false })).toEqual(wanted);
}

async function expectNothingThenCleanRerun(): Promise<void> {
  expect(readdirSync(temp), "private folders").toEqual([]);
  expect(existsSync(join(out, "user_daily"))).toBe(false);
  fill(server, lake.folder, "lake/events");
  await run(never);
  await expectWhole();
}

function fresh(): void {
  out = join(tempFolder(), "mart");
  fill(server, lake.folder, "lake/events");
}

describe.each<[string, Fault]>([
  ["500", { status: 500, code: "InternalError" }],
  ["503 SlowDown", { status: 503, code: "SlowDown" }],
  ["a broken connection", "lost-before"],
  ["a stalled body", "stall"],
  ["a truncated body", "truncate"],
  ["a body with a flipped bit", "flip"],
])("%s", (_, fault) => {
  test("that passes is overcome", async () => {
    fresh();
    await run(nth(2, isData, fault, 2));
    await expectWhole();
  });

  test("that stays ends with 3, nothing published", async () => {
    fresh();
    await expect(run(nth(2, isData, fault, 999))).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(/^s3:\/\/lake\/events\/event_date=.*again and again$/),
    });
    await expectNothingThenCleanRerun();
  });
});

describe("what no second try mends ends with 3 at once", () => {
  test.each<[string, (request: SeenRequest) => boolean, Fault, RegExp]>([
    [
      "403 in the middle",
      isData,
      { status: 403, code: "AccessDenied" },
      /no permission for s3:\/\/lake\/events\/event_d/,
    ],
    ["an expired token", isData, { status: 400, code: "ExpiredToken" }, /the credentials for .* have expired/],
    ["another ETag", isData, "wrong-etag", /was replaced since the lake was listed/],
    ["403 at listing", isList, { status: 403, code: "AccessDenied" }, /no permission for the lake s3:\/\/lake\/events/],
    ["no such bucket", isList, { status: 404, code: "NoSuchBucket" }, /there is no bucket for the lake s3:\/\/lake/],
    ["unknown keys", isList, { status: 403, code: "InvalidAccessKeyId" }, /does not accept the credentials/],
  ])("%s", async (_, is, fault, message) => {
    fresh();
    const failure = await run(nth(2, is, fault, 999)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ exitCode: 3, message: expect.stringMatching(message) });
    expect(String((failure as Error).message)).not.toContain("TESTSECRET");
    await expectNothingThenCleanRerun();
  });
});

describe("fault 43: an object that changes between listing and reading", () => {
  test.each([
    ["replaced", (path: string) => server.set(path, "something else"), "was replaced"],
    ["deleted", (path: string) => server.objects.delete(path), "was deleted"],
  ])("%s", async (_, change, message) => {
    fresh();
    const path = `lake/events/event_date=${DAY}/event_hour=10/part-0.parquet`;
    const failing = run((request) => {
      if (isData(request) && server.objects.has(path)) change(path);
      return null;
    });
    await expect(failing).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining(message) });
    await expectNothingThenCleanRerun();
  });
});

test("a file that is larger than --staging-limit is refused before anything is fetched", async () => {
  fresh();
  const { s3LakeStore } = await import("../../src/lake/s3-lake-store.ts");
  const { optionsOf, FAST } = await import("./s3-tools.ts");
  const options = { ...optionsOf(server.endpoint), stagingLimitBytes: 100 };
  const effects = s3Effects(server.endpoint, { openLake: (at) => s3LakeStore(at, options, FAST) });
  await expect(rebuild(rebuildOptions("s3://lake/events", out), effects)).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringMatching(/^event_date=.*parquet has 1 MiB, more than --staging-limit allows/),
  });
  expect(server.seen.filter(isData)).toEqual([]);
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { readHead } from "../../src/publish/commit.ts";
import { S3Store } from "../../src/storage/s3-store.ts";
import { DATE, expectWhole, publish } from "../publish/publishing.ts";
import { tempFolder } from "../publish/small-lake.ts";
import type { Fault, SeenRequest } from "./fake-s3.ts";
import { FAST, fakeS3, nth, optionsOf, publishedIn } from "./s3-tools.ts";

const server = fakeS3();
let wanted: Record<string, string>;
let puts = 0;
let attempt = 0;

beforeAll(async () => {
  await run(() => null);
  wanted = publishedIn(server, "mart/m");
  puts = server.seen.filter(isPut).length;
  server.objects.clear();
  server.seen.length = 0;
});

const isPut = ({ method }: SeenRequest) => method === "PUT";
const isCommit = ({ method, key }: SeenRequest) => method === "PUT" && key.includes("/commits/");
const isCopy = ({ headers }: SeenRequest) => headers["x-amz-copy-source"] !== undefined;

/** Publishes as a rebuild does, beginning with the check of the store. */
async function run(fault: (request: SeenRequest) => Fault | null, version = "new"): Promise<void> {
  server.fault = fault;
  const mart = store();
  await mart.assertUsable();
  await publish(mart, version, `attempt-${++attempt}`);
}

const store = () => new S3Store("s3://mart/m", optionsOf(server.endpoint), FAST);
const commits = () => [...server.objects.keys()].filter((path) => path.includes("/commits/"));

/** Whatever has happened: each published file is the run's, or not there; a rerun leaves exactly one clean result. */
async function expectNothingHalfThenCleanRerun(): Promise<void> {
  for (const [path, hash] of Object.entries(publishedIn(server, "mart/m"))) expect(wanted[path]).toBe(hash);
  await run(() => null);
  await expectClean();
}

async function expectClean(): Promise<void> {
  server.fault = () => null;
  expect(publishedIn(server, "mart/m")).toEqual(wanted);
  expect(commits()).toHaveLength(1);
  await expectWhole(store(), await readHead(store(), DATE));
}

test.each<Fault>(["lost-before", "lost-after"])("an answer %s of any PUT is made good", async (fault) => {
  expect(puts).toBeGreaterThan(12);
  for (let n = 1; n <= puts; n++) {
    server.objects.clear();
    await run(nth(n, isPut, fault));
    await expectClean();
    expect([...server.objects.keys()].filter((path) => /publishing|probes/.test(path))).toEqual([]);
  }
});

test.each<[string, Fault]>([
  ["409", { status: 409, code: "ConditionalRequestConflict" }],
  ["500", { status: 500, code: "InternalError" }],
  ["503 SlowDown", { status: 503, code: "SlowDown" }],
])("%s at the commit is tried again", async (_, fault) => {
  await run(nth(1, isCommit, fault, 2));
  await expectClean();
});

describe("what stays ends with 1, or 2 or 3 before anything was written, and nothing half-published", () => {
  const denied = { status: 403, code: "AccessDenied" };
  const expired = { status: 400, code: "ExpiredToken" };
  const broken = { status: 500, code: "InternalError" };
  const conflict = { status: 409, code: "ConditionalRequestConflict" };
  test.each<[string, (r: SeenRequest) => boolean, number, Fault, number]>([
    ["403 at the probe", isPut, 1, denied, 2],
    ["expired before anything", isPut, 1, expired, 2],
    ["no bucket", isPut, 1, { status: 404, code: "NoSuchBucket" }, 2],
    ["overload at the probe", isPut, 1, { status: 503, code: "SlowDown" }, 3],
    ["403 in the middle", isPut, 6, denied, 1],
    ["expired in the middle", isPut, 6, expired, 1],
    ["500 in the middle", isPut, 6, broken, 1],
    ["409 at the commit", isCommit, 1, conflict, 1],
    ["403 at the commit", isCommit, 1, denied, 1],
    ["lost before the commit", isCommit, 1, "lost-before", 1],
    ["lost after the commit", isCommit, 1, "lost-after", 1],
    ["403 at a published file", isCopy, 2, denied, 1],
    ["500 at a published file", isCopy, 2, broken, 1],
  ])("%s", async (_, is, n, fault, exitCode) => {
    const failure = await run(nth(n, is, fault, 999)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ exitCode, hint: expect.any(String) });
    await expectNothingHalfThenCleanRerun();
  });
});

test("412: of two runs with different inputs one wins, the other ends with 5 or goes on top", async () => {
  const runs = await Promise.allSettled([run(() => null, "one"), run(() => null, "other")]);
  const lost = runs.filter(({ status }) => status === "rejected").map((run) => (run as PromiseRejectedResult).reason);
  for (const error of lost) expect(error).toMatchObject({ exitCode: 5 });
  expect(runs.length - lost.length).toBeGreaterThan(0);
  await expectWhole(store(), await readHead(store(), DATE));
});

test.each<[string, Fault | null]>([
  ["ignores", "unconditional"],
  ["has no", { status: 501, code: "NotImplemented" }],
])("a store that %s conditional writes is refused before anything is written", async (what, fault) => {
  const failing = run((request) => (request.headers["if-none-match"] ? fault : null));
  await expect(failing).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringMatching(`^the store of s3://mart/m ${what} conditional writes`),
  });
  expect(server.objects.size).toBe(0);
});

describe("large files", () => {
  const file = join(tempFolder(), "large");
  const small = { upload: 1000, copy: 1500 };
  const large = () => new S3Store("s3://mart/m", optionsOf(server.endpoint), FAST, small);
  const content = Buffer.from(Array.from({ length: 3501 }, (_, i) => i % 251));
  const isPart = ({ method, query }: SeenRequest) => method === "PUT" && query.has("partNumber");
  const isComplete = ({ method, query }: SeenRequest) => method === "POST" && query.has("uploadId");

  beforeAll(() => writeFileSync(file, content));

  test("are uploaded and copied in parts", async () => {
    server.fault = nth(2, isPart, { status: 503, code: "SlowDown" });
    await large().putFile("a b", file);
    await large().copy("a b", "copy");
    expect(server.seen.filter(isPart)).toHaveLength(4 + 1 + 3);
    for (const key of ["a b", "copy"]) expect(await large().get(key)).toEqual(content);
    expect(server.uploads.size).toBe(0);
  });

  test("an answer lost after completion is made good", async () => {
    server.fault = nth(1, isComplete, "lost-after");
    await large().putFile("a", file);
    expect(await large().get("a")).toEqual(content);
  });

  test.each([isPart, isComplete])("a failure aborts the upload", async (is) => {
    server.fault = nth(1, is, { status: 403, code: "AccessDenied" });
    await expect(large().putFile("a", file)).rejects.toMatchObject({ exitCode: 1 });
    expect(server.uploads.size).toBe(0);
    expect(server.objects.size).toBe(0);
  });

  test("what a crash has left is found and removed", async () => {
    server.fault = (request) => (is(request) ? "lost-before" : null);
    const is = (request: SeenRequest) => isPart(request) || request.method === "DELETE";
    await expect(large().putFile("_presence/runs/r/a", file)).rejects.toThrow();
    server.fault = () => null;
    const left = await store().leftovers("_presence/runs/");
    expect(left.map(({ key }) => key)).toEqual([expect.stringMatching(/^_presence\/runs\/r\/a\?uploadId=/)]);
    await store().removeLeftover(left[0]!.key);
    expect(server.uploads.size).toBe(0);
  });
});

import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { listLake } from "../../src/lake/listing.ts";
import { s3LakeStore } from "../../src/lake/s3-lake-store.ts";
import { S3Bucket } from "../../src/storage/s3-bucket.ts";
import { S3Store } from "../../src/storage/s3-store.ts";
import { filesBelow } from "../publish/mart-tools.ts";
import { DAY, SmallLake, tempFolder } from "../publish/small-lake.ts";
import { KEYS, optionsOf, staged } from "../s3/s3-tools.ts";
import { runCommand } from "../support/command.ts";

const endpoint = inject("endpoint");
const s3 = optionsOf(endpoint);
const lake = new SmallLake(tempFolder("lake-"));
const folder = tempFolder();

beforeAll(async () => {
  Object.assign(process.env, KEYS);
  const bucket = new S3Bucket("s3://any", s3);
  for (const Bucket of ["lake", "mart"]) {
    await bucket.request(({ sdk, client }) => client.send(new sdk.CreateBucketCommand({ Bucket })));
  }
  for (const hour of [8, 9, 10]) await lake.add(hour, ["a", "b", `of ${hour}`], { name: "part 0+1=2%ü.parquet" });
  await upload();
});

/** Puts the lake's folder into the bucket as it is now. */
async function upload(): Promise<void> {
  const store = new S3Store("s3://lake/events", s3);
  for (const path of filesBelow(lake.folder)) await store.putFile(path, join(lake.folder, path));
}

const run = (command: string, ...flags: string[]) =>
  runCommand([command, ...flags, "--endpoint", endpoint], { env: KEYS });
const rebuild = (from: string, to: string) =>
  run("rebuild", "--date", DAY, "--tz", "UTC", "--metric", "connected,foreground", "--lake", from, "--out", to);

async function contents(mart: string): Promise<Record<string, string>> {
  const store = new S3Store(mart, s3);
  const tables = (await store.list("")).filter(({ key }) => !key.startsWith("_presence/"));
  return Object.fromEntries(await Promise.all(tables.map(async ({ key }) => [key, (await store.digest(key))!.sha256])));
}

async function contentsOfFolder(mart: string): Promise<Record<string, string>> {
  const { createHash } = await import("node:crypto");
  const paths = filesBelow(mart).filter((path) => !path.startsWith("_presence/"));
  return Object.fromEntries(
    paths.map((path) => [
      path,
      createHash("sha256")
        .update(readFileSync(join(mart, path)))
        .digest("hex"),
    ]),
  );
}

test("a day's life on a real server, its results those of folders byte for byte", async () => {
  const mart = "s3://mart/life";
  expect(await rebuild("s3://lake/events", mart)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 day published"),
  });
  const local = join(folder, "local");
  expect(await rebuild(lake.folder, local)).toMatchObject({ code: 0 });
  const first = await contents(mart);
  expect(Object.keys(first).length).toBeGreaterThan(10);
  expect(first).toEqual(await contentsOfFolder(local));
  expect(await rebuild("s3://lake/events", mart)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("already there"),
  });

  const status = () => run("status", "--date", DAY, "--lake", "s3://lake/events", "--out", mart, "--check");
  expect(await status()).toMatchObject({ code: 0, stdout: expect.stringContaining("current") });
  const verified = await run("verify", "--out", mart, "--data", "--recompute", "--lake", "s3://lake/events");
  expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining("as committed") });

  await lake.add(11, ["late"]);
  await upload();
  expect(await status()).toMatchObject({ code: 4, stdout: expect.stringContaining("stale") });
  expect(await rebuild("s3://lake/events", mart)).toMatchObject({ code: 0 });
  expect(await rebuild(lake.folder, local)).toMatchObject({ code: 0 });
  expect(await contents(mart)).toEqual(await contentsOfFolder(local));

  for (const metric of ["connected", "foreground"]) {
    const back = await run("rollback", "--date", DAY, "--metric", metric, "--to", "1", "--out", mart);
    expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining("is that of commit 1 again") });
  }
  const now = await contents(mart);
  for (const [path, sha256] of Object.entries(first)) if (path.includes("metric=")) expect(now[path]).toBe(sha256);
  expect(await run("gc", "--out", mart, "--grace", "0")).toMatchObject({ code: 0 });
  expect(await run("verify", "--out", mart)).toMatchObject({ code: 0 });
  const explained = await run(
    "explain",
    "--date",
    DAY,
    "--user",
    "a",
    "--lake",
    "s3://lake/events",
    "--out",
    mart,
    "--metric",
    "connected",
  );
  expect(explained).toMatchObject({ code: 0 });
  const mixed = join(folder, "mixed");
  mkdirSync(mixed);
  expect(await rebuild("s3://lake/events", mixed)).toMatchObject({ code: 0 });
  expect(await contentsOfFolder(mixed)).toEqual(await contentsOfFolder(local));
});

test("with room for two of a day's large objects, it comes to the same bytes", async () => {
  const big = tempFolder("big-");
  const sample = ["sample", "--users", "1500", "--days", "1", "--from", DAY, "--tz", "UTC", "--out", big];
  expect(await runCommand(sample, {})).toMatchObject({ code: 0 });
  const store = new S3Store("s3://lake/big", s3);
  const files = filesBelow(big);
  for (const path of files) await store.putFile(path, join(big, path));
  const sizes = files.map((path) => statSync(join(big, path)).size);
  // From 1 MiB on an object's end is asked for on its own.
  expect(Math.max(...sizes)).toBeGreaterThan(1_048_576);
  const limit = Math.ceil((2 * Math.max(...sizes)) / 1024);
  expect(limit * 1024).toBeLessThan(sizes.reduce((sum, size) => sum + size) / 4);
  const count = (from: string, to: string, ...flags: string[]) =>
    run("rebuild", "--date", DAY, "--tz", "UTC", "--metric", "connected", "--lake", from, "--out", to, ...flags);
  const [staged, local] = [join(folder, "staged"), join(folder, "unstaged")];
  expect(await count("s3://lake/big", staged, "--staging-limit", `${limit}KiB`)).toMatchObject({ code: 0 });
  expect(await count(big, local)).toMatchObject({ code: 0 });
  expect(Object.keys(await contentsOfFolder(local)).length).toBeGreaterThan(5);
  expect(await contentsOfFolder(staged)).toEqual(await contentsOfFolder(local));
  const refused = await count("s3://lake/big", join(folder, "none"), "--staging-limit", "10KiB");
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("more than --staging-limit allows") });
});

test("of two rebuilds at once one wins or both agree, and the mart is whole", async () => {
  const mart = "s3://mart/two";
  const ran = await Promise.all([rebuild("s3://lake/events", mart), rebuild("s3://lake/events", mart)]);
  expect(ran.map(({ code }) => code)).toEqual([0, 0]);
  expect(await run("verify", "--out", mart)).toMatchObject({ code: 0 });
  const commits = await new S3Store(mart, s3).list("_presence/commits/");
  expect(commits).toHaveLength(1);
});

describe("the store", () => {
  const mart = () => new S3Store("s3://mart/store", s3, {}, { upload: 5_242_880, copy: 6_291_456 });

  test("has one winner of ten, and passes the probe", async () => {
    await mart().assertUsable();
    const won = await Promise.all(Array.from({ length: 10 }, (_, i) => mart().createExclusive("race", `${i}`)));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await mart().list("_presence/")).toEqual([]);
  });

  test("uploads and copies large files in parts, under any name", async () => {
    const { writeFileSync } = await import("node:fs");
    const content = Buffer.alloc(13_000_000, "0123456789abcdef!");
    for (const key of ["metric=x@1/date=2026-07-29/large", "a b+c=d%41/ü日?#&'(1)*!.bin"]) {
      writeFileSync(join(folder, "large"), content);
      await mart().putFile(key, join(folder, "large"));
      // Ceph 16 cannot copy parts of an object of such a name; a mart has none.
      const inParts = key.startsWith("metric=");
      await (inParts ? mart() : new S3Store("s3://mart/store", s3)).copy(key, `copy of/${key}`);
      expect((await mart().get(`copy of/${key}`))!.equals(content)).toBe(true);
    }
    expect(await mart().leftovers("")).toEqual([]);
  });

  test("faults 41 and 43: 1,205 objects of any name; one that is replaced or deleted is refused", async () => {
    const names = ["a b", "a+b", "k=v", "100%", "%41", "ü-日本-🎉", "q?x&y#z", "[1-2]*", "back\\slash"];
    while (names.length < 1_205) names.push(`part-${names.length}`);
    const many = new S3Store("s3://lake/many", s3);
    const below = `event_date=${DAY}/event_hour=10`;
    for (let at = 0; at < names.length; at += 16) {
      await Promise.all(names.slice(at, at + 16).map((name) => many.put(`${below}/${name}.parquet`, name)));
    }
    const from = Date.parse(`${DAY}T10:00:00Z`);
    const lakeStore = s3LakeStore("s3://lake/many", s3);
    const { files } = await listLake("s3://lake/many", { fromMs: from, toMs: from + 1 }, lakeStore);
    expect(files.map(({ relative }) => relative).sort()).toEqual(
      names.map((name) => `${below}/${name}.parquet`).sort(),
    );
    const stage = () => staged(lakeStore, files);
    const contents = await stage();
    expect(contents.map((content) => `${below}/${content}.parquet`)).toEqual(files.map(({ relative }) => relative));
    await many.put(`${below}/part-700.parquet`, "part-007");
    await expect(stage()).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining("was replaced") });
    await many.delete(`${below}/part-700.parquet`);
    await expect(stage()).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining("was deleted") });
  });

  test("says in plain words what is wrong with bucket and keys", async () => {
    expect(await rebuild("s3://nowhere/events", "s3://mart/x")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("there is no bucket for the lake s3://nowhere/events"),
    });
    const env = { ...KEYS, AWS_SECRET_ACCESS_KEY: "wrong" };
    const with_ = (from: string, out: string) =>
      runCommand(["rebuild", "--date", DAY, "--tz", "UTC", "--lake", from, "--out", out, "--endpoint", endpoint], {
        env,
      });
    const stderr = expect.stringContaining("does not accept the credentials");
    expect(await with_(lake.folder, "s3://mart/x")).toMatchObject({ code: 2, stderr });
    expect(await with_("s3://lake/events", join(folder, "x"))).toMatchObject({ code: 3, stderr });
  });
});

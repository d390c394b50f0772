import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { listLake } from "../../src/lake/listing.ts";
import { s3LakeStore } from "../../src/lake/s3-lake-store.ts";
import { S3Store } from "../../src/storage/s3-store.ts";
import { planDays } from "../../src/usecases/day-plan.ts";
import { rebuild } from "../../src/usecases/rebuild.ts";
import { status } from "../../src/usecases/status.ts";
import { verify } from "../../src/usecases/verify.ts";
import { build, effects, filesBelow, rebuildOptions } from "../publish/mart-tools.ts";
import { DAY, partition, SmallLake, tempFolder } from "../publish/small-lake.ts";
import type { SeenRequest } from "./fake-s3.ts";
import { FAST, fakeS3, fill, isData, optionsOf, publishedIn, s3Effects, staged } from "./s3-tools.ts";

const server = fakeS3();
const isList = ({ key, method }: SeenRequest) => key === "" && method === "GET";
const WHOLE = { fromMs: Date.parse(`${DAY}T00:00:00Z`), toMs: Date.parse(`${DAY}T00:00:00Z`) + 86_400_000 };
const open = () => s3LakeStore("s3://lake/events", optionsOf(server.endpoint), FAST);

describe("listing", () => {
  test("of a day in a lake of 26,000 partitions asks for a few prefixes", async () => {
    const start = Date.parse("2022-01-01T00:00:00Z");
    for (let hour = 0; hour < 26_000; hour++) {
      const [date, at] = new Date(start + hour * 3_600_000).toISOString().split("T");
      server.objects.set(`lake/events/event_date=${date}/event_hour=${at!.slice(0, 2)}/_SUCCESS`, EMPTY);
    }
    server.set("lake/other/huge", "not of the lake");
    const options = { ...rebuildOptions("s3://lake/events", "/nowhere") };
    const plan = await planDays(options, s3Effects(server.endpoint));
    expect(plan.days[0]!.missingHours).toEqual([]);
    const asked = server.seen.filter(isList).map(({ query }) => query.get("prefix"));
    // Two pages of 1,084 dates, and each of the four dates that the read window touches.
    expect(asked.length).toBe(6);
    expect(asked.every((prefix) => prefix!.startsWith("events/"))).toBe(true);
    expect(server.seen.length).toBe(asked.length);
  });

  test("fault 41: 1,205 objects in an hour, keys with spaces, +, =, % and letters of all kinds", async () => {
    const names = ["a b", "a+b", "k=v", "100%", "%41", "ü-日本-🎉", "q?x&y#z", "[1-2]*", "quote'\"", "back\\slash"];
    while (names.length < 1_205) names.push(`part-${names.length}`);
    for (const name of names) server.set(`lake/events/dt=${DAY}/hr=10/${name}.parquet`, name);
    server.set(`lake/events/dt=${DAY}/hr=10/`, "");
    server.set(`lake/events/dt=${DAY}/hr=10/_SUCCESS`, "");
    const { files, oddities } = await listLake("s3://lake/events", WHOLE, open());
    expect(oddities).toEqual([]);
    expect(files.map(({ relative }) => relative).sort()).toEqual(
      names.map((n) => `dt=${DAY}/hr=10/${n}.parquet`).sort(),
    );
    expect(server.seen.filter(isList).length).toBe(3);
    const contents = await staged(open(), files.slice(0, 40));
    expect(contents.map((content) => `${content}.parquet`)).toEqual(
      files.slice(0, 40).map(({ relative }) => relative.slice(relative.lastIndexOf("/") + 1)),
    );
  });

  test("says of a bucket what it says of a folder", async () => {
    const paths = [
      "README",
      `source=web/event_date=${DAY}/event_hour=3/a.parquet`,
      `event_date=${DAY}/event_hour=04/b.txt`,
      `event_date=${DAY}/event_hour=04/deep/c.parquet`,
      `event_date=${DAY}/event_hour=24/d.parquet`,
      `event_date=${DAY}/e.parquet`,
      "event_date=__HIVE_DEFAULT_PARTITION__/event_hour=04/f.parquet",
      `event_date=${DAY}/_temporary/g.parquet`,
      ".hidden/h.parquet",
    ];
    const folder = tempFolder();

    for (const path of paths) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), path);
    }
    fill(server, folder, "lake/events");
    const local = await listLake(folder, WHOLE);
    const remote = await listLake("s3://lake/events", WHOLE, open());
    expect(remote.oddities).toEqual(local.oddities);
    expect(remote.hours).toEqual(local.hours);
    expect(remote.files.map(({ relative, bytes }) => [relative, bytes])).toEqual(
      local.files.map(({ relative, bytes }) => [relative, bytes]),
    );
  });

  test("an empty prefix is no lake", async () => {
    await expect(listLake("s3://lake/events", WHOLE, open())).rejects.toMatchObject({ exitCode: 3 });
  });
});

const EMPTY = { body: Buffer.alloc(0), etag: "d41d8cd98f00b204e9800998ecf8427e", modified: new Date(0) };

describe("lake and mart", () => {
  const lake = new SmallLake(tempFolder("lake-"));
  const out = join(tempFolder(), "mart");
  let local: string[];
  beforeAll(async () => {
    for (const hour of [9, 10]) await lake.add(hour, ["a", "b", `of ${hour}`], { name: "part 0+1=2%ü.parquet" });
    await build(lake.folder, out);
    local = filesBelow(out).filter((path) => !path.startsWith("_presence/"));
  });

  const options = () => rebuildOptions("s3://lake/events", "s3://mart/m");

  test("in buckets come to the same bytes as in folders", async () => {
    fill(server, lake.folder, "lake/events");
    await rebuild(options(), s3Effects(server.endpoint));
    expect(Object.keys(publishedIn(server, "mart/m")).sort()).toEqual(local);
    for (const path of local) {
      expect(server.objects.get(`mart/m/${path}`)!.body.equals(readFileSync(join(out, path))), path).toBe(true);
    }
    const again = await rebuild(options(), s3Effects(server.endpoint));
    expect(again.days[0]).toMatchObject({ published: "nothing" });
  });

  test("an object put again with the same content is no news; another content is", async () => {
    fill(server, lake.folder, "lake/events");
    const with_ = s3Effects(server.endpoint);
    await rebuild(options(), with_);
    const look = async () => {
      const asked = { out: "s3://mart/m", lake: "s3://lake/events", zone: null, metrics: null, eventTypes: [] };
      const { rows } = await status({ ...asked, days: { kind: "date", date: DAY } }, with_);
      return rows.map(({ state }) => state);
    };
    fill(server, lake.folder, "lake/events");
    expect(await look()).toEqual(["current", "current"]);
    const bytes = Buffer.from(server.objects.get(`lake/events/${partition(9)}/part 0+1=2%ü.parquet`)!.body);
    bytes[bytes.length >> 1]! ^= 1;
    server.set(`lake/events/${partition(9)}/part 0+1=2%ü.parquet`, bytes);
    expect(await look()).toEqual(["stale", "stale"]);
  });

  test("no secret is written anywhere", async () => {
    fill(server, lake.folder, "lake/events");
    await rebuild(options(), s3Effects(server.endpoint));
    for (const [path, { body }] of server.objects) expect(body.includes("TESTSECRET"), path).toBe(false);
    for (const { headers } of server.seen) expect(JSON.stringify(headers)).not.toContain("TESTSECRET");
  });

  test("fault 42: with endpoint and path style no request goes anywhere else", async () => {
    const others: string[] = [];
    const other = createServer((request, response) => {
      others.push(`${request.method} ${request.url}`);
      response.end();
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as { port: number };
    // Whatever the environment says, the flag wins; and a proxy or another region would be told by `others` or by a failure.
    process.env.AWS_ENDPOINT_URL = `http://127.0.0.1:${port}`;
    process.env.AWS_REGION = "eu-north-1";
    try {
      fill(server, lake.folder, "lake/events");
      await rebuild(options(), s3Effects(server.endpoint));
      const host = server.endpoint.slice("http://".length);
      for (const { headers, bucket } of server.seen) {
        expect(headers.host).toBe(host);
        expect(["lake", "mart"]).toContain(bucket);
      }
      expect(server.seen.some(isList) && server.seen.some(isData)).toBe(true);
      expect(others).toEqual([]);
    } finally {
      delete process.env.AWS_ENDPOINT_URL;
      delete process.env.AWS_REGION;
      other.close();
    }
  });

  test("request payer and KMS key are said with every request that they belong to", async () => {
    fill(server, lake.folder, "lake/events");
    const asked = { ...optionsOf(server.endpoint), requestPayer: true, sseKmsKey: "key-1" };
    const opened = effects({
      openStore: (at) => new S3Store(at, asked, FAST),
      openLake: (at) => s3LakeStore(at, asked, FAST),
    });
    await rebuild(options(), opened);
    for (const { method, headers } of server.seen) {
      expect(headers["x-amz-request-payer"]).toBe("requester");
      if (method === "PUT") expect(headers["x-amz-server-side-encryption-aws-kms-key-id"]).toBe("key-1");
    }
  });

  test("verify reads every byte of the mart and counts the lake again", async () => {
    fill(server, lake.folder, "lake/events");
    const with_ = s3Effects(server.endpoint);
    await rebuild(options(), with_);
    const asked = {
      out: "s3://mart/m",
      zone: null,
      metrics: null,
      eventTypes: [],
      days: { kind: "none" } as const,
      data: true,
      repair: false,
      recompute: "s3://lake/events",
      resources: { threads: 1, memoryLimitBytes: 500_000_000, tempDir: null },
    };
    expect((await verify(asked, { ...with_, progress: () => {} })).findings).toEqual([]);
    server.set(`mart/m/${local.find((path) => path.startsWith("user_daily"))}`, "damaged");
    const { findings } = await verify(
      { ...asked, data: false, recompute: null, repair: true },
      { ...with_, progress: () => {} },
    );
    expect(findings).toMatchObject([{ problem: "published differs", repaired: true }]);
  });
});

/** Lake, jobs and mart in buckets of a real S3 server, as README configures it: the same tables as DuckDB gives. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { S3Bucket } from "../../src/storage/s3-bucket.ts";
import { S3Store } from "../../src/storage/s3-store.ts";
import { filesBelow } from "../publish/mart-tools.ts";
import { KEYS, optionsOf } from "../s3/s3-tools.ts";
import { type S3Server, startServer } from "../s3-server/start-server.ts";
import { FIRST_DAY, writeSample } from "../sample/support.ts";
import { runCommand } from "../support/command.ts";
import { tempFolder } from "../support/lake-on-disk.ts";
import { type Partition, partitionsOf } from "./compare-marts.ts";
import { INTERPRETED, SMALL, s3aJars, sparkSubmit } from "./spark-home.ts";

const DAY = ["--date", FIRST_DAY, "--metric", "connected"];
const folder = tempFolder("presence-spark-");
let server: S3Server;
let env: Record<string, string>;
let expected: Record<string, Partition>;

const bucketStore = (location: string) => new S3Store(location, optionsOf(server.endpoint));

beforeAll(async () => {
  server = await startServer();
  Object.assign(process.env, KEYS);
  env = { ...KEYS, ...trusting(server.secure.certificate) };
  const bucket = new S3Bucket("s3://any", optionsOf(server.endpoint));
  for (const Bucket of ["events", "presence"]) {
    await bucket.request(({ sdk, client }) => client.send(new sdk.CreateBucketCommand({ Bucket })));
  }
  const lake = join(folder, "lake");
  await writeSample({ out: lake, users: 60 });
  const store = bucketStore("s3://events/prod");
  for (const path of filesBelow(lake)) await store.putFile(path, join(lake, path));
  writeFileSync(join(folder, "presence.yaml"), config());
  await run("rebuild", ...DAY, "--engine", "duckdb", "--out", join(folder, "duckdb"));
  expected = await partitionsOf(join(folder, "duckdb"));
});

afterAll(() => server.stop());

/** What Node.js and Java need to trust a certificate of its own signing. */
function trusting(certificate: string): Record<string, string> {
  const store = join(folder, "trusted.p12");
  execFileSync(
    "keytool",
    ["-importcert", "-noprompt", "-file", certificate, "-keystore", store, "-storepass", "public"],
    {
      stdio: "pipe",
    },
  );
  return {
    NODE_EXTRA_CA_CERTS: certificate,
    JAVA_TOOL_OPTIONS: `-Djavax.net.ssl.trustStore=${store} -Djavax.net.ssl.trustStorePassword=public`,
  };
}

/** README's file but for names: another master, this server, jars that are here already, less of everything. */
function config(): string {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const [, yaml] = /```yaml\n# presence\.yaml\n(lake: s3:[^`]*sparkSubmit: [^`]*)```/.exec(readme)!;
  const names: [string | RegExp, string][] = [
    [/--executor-\S+ \S+|--conf spark\.sql\.\S+/g, ""],
    [/--packages \S+/, s3aJars()],
    [/https:\/\/\S+/g, server.secure.endpoint],
    [/spark-submit --master \S+/, sparkSubmit("local[2]", SMALL, INTERPRETED)],
  ];
  return names.reduce((text, [from, to]) => {
    expect(text).toMatch(from);
    return text.replace(from, to);
  }, yaml!);
}

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand([...args, "--config", join(folder, "presence.yaml")], { env });
  expect(code, stderr).toBe(0);
  return stdout;
}

/** All of a mart in the bucket has the rows of DuckDB's. */
async function expectSame(mart: string): Promise<void> {
  const store = bucketStore(`s3://presence/${mart}`);
  const local = join(folder, mart);
  for (const { key } of await store.list("")) {
    if (!key.startsWith("_presence/")) await store.asLocalFile(key, local);
  }
  const found = await partitionsOf(join(local, "mart"));
  expect(Object.keys(found)).toEqual(Object.keys(expected));
  for (const [name, partition] of Object.entries(expected))
    expect({ name, ...found[name] }).toEqual({ name, ...partition });
}

test("rebuilt, and nothing is left of the job", async () => {
  expect(await run("rebuild", ...DAY)).toContain("1 day published");
  await expectSame("mart");
  expect(await bucketStore("s3://presence/jobs").list("")).toEqual([]);
  const verified = await run("verify", "--data", "--recompute");
  expect(verified).toContain("as committed");
});

test("emitted, submitted by other means, collected", async () => {
  const jobs = "s3://presence/emitted";
  const said = await run("rebuild", ...DAY, "--out", "s3://presence/collected", "--emit", jobs);
  expect(said).toContain(`s3a://presence/emitted/${FIRST_DAY}/job.json`);
  const submit = /sparkSubmit: >-\n([\s\S]*)$/.exec(config())![1]!.replaceAll("\n", " ");
  const driver = await bucketStore(jobs).asLocalFile("driver.py", folder);
  const job = `s3a://presence/emitted/${FIRST_DAY}/job.json`;
  execFileSync("/bin/sh", ["-c", `exec ${submit} "$@"`, "sh", driver, job], {
    stdio: "pipe",
    env: { ...process.env, ...env },
  });
  expect(await run("rebuild", "--collect", jobs)).toContain("1 day published");
  await expectSame("collected");
});

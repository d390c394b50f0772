import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { S3Store } from "../../src/storage/s3-store.ts";
import { planRebuild, rebuild } from "../../src/usecases/rebuild.ts";
import { runFake } from "../cli/fakes.ts";
import { NOW } from "../publish/mart-tools.ts";
import { DAY, SmallLake, tempFolder } from "../publish/small-lake.ts";
import { grantFor, grantsOf, neededFor, type Policy, readmePolicies } from "./iam-policy.ts";
import { FAST, fakeS3, fill, optionsOf } from "./s3-tools.ts";

const server = fakeS3();
const lake = new SmallLake(tempFolder("lake-"));
const [operator, analyst] = readmePolicies() as [Policy, Policy];
const LAKE = "s3://events/prod";
const MART = "s3://presence/mart";

beforeAll(async () => {
  for (const hour of [8, 9, 10]) await lake.add(hour, ["a", "b", `of ${hour}`]);
});

/** From now on the server refuses what a policy does not allow; gives the grants that are used. */
function enforce(policy: Policy): Set<string> {
  const used = new Set<string>();
  server.fault = (request) => {
    const grants = neededFor(request).map((needed) => grantFor(policy, needed));
    for (const grant of grants) if (grant !== null) used.add(grant);
    return grants.includes(null) ? { status: 403, code: "AccessDenied" } : null;
  };
  return used;
}

const run = (...args: string[]) =>
  runFake([...args, "--endpoint", server.endpoint], { rebuild: { rebuild, planRebuild }, io: { now: () => NOW } });

const count = ["--lake", LAKE, "--tz", "UTC"];
const build = () => run("rebuild", "--date", DAY, ...count, "--out", MART, "--metric", "connected");

/** The mart's own figures, as if they were the realtime layer's. */
async function realtime(): Promise<string[]> {
  const file = join(tempFolder(), "realtime.csv");
  const asked = ["--table", "user_daily", "--date", DAY, "--metric", "connected", "--format", "csv", "--to", file];
  expect(await run("export", ...asked, "--out", MART)).toMatchObject({ code: 0 });
  const [header = "", ...rows] = readFileSync(file, "utf8").trim().split("\n");
  const at = ["user_id", "online_ms"].map((name) => header.split(",").indexOf(name));
  writeFileSync(file, [header, ...rows].map((row) => at.map((i) => row.split(",")[i]).join(",")).join("\n"));
  return ["--metric", "connected", "--realtime", file];
}

describe("the README's policies", () => {
  test("the operator's allows what each command asks for, and nothing that none does", async () => {
    fill(server, lake.folder, "events/prod");
    const used = enforce(operator);
    const done = async (...args: string[]) => expect(await run(...args), args.join(" ")).toMatchObject({ code: 0 });
    await done("doctor", ...count, "--out", MART);
    expect(await build()).toMatchObject({ code: 0 });
    await done("rebuild", "--date", DAY, ...count, "--out", MART, "--metric", "foreground");
    await done("status", "--date", DAY, "--lake", LAKE, "--out", MART, "--check");
    const published = [...server.objects.keys()].find((path) => path.startsWith("presence/mart/user_daily/"))!;
    server.set(published, "damaged");
    expect(await run("verify", "--out", MART, "--repair")).toMatchObject({
      stdout: expect.stringContaining("repaired"),
    });
    await done("verify", "--out", MART, "--data", "--recompute", "--lake", LAKE);
    await done("explain", "--date", DAY, "--user", "a", ...count, "--out", MART, "--metric", "connected");
    await done("online", "--at", `${DAY}T08:01:00Z`, ...count, "--out", MART, "--metric", "connected");
    await done("quarantine", "--date", DAY, "--out", MART);
    await done("rollup", "--month", "2024-01", "--missing-days", "30", "--metric", "connected", "--out", MART);
    await done("drift", "--date", DAY, ...(await realtime()), "--lake", LAKE, "--out", MART);
    await lake.add(11, ["late"]);
    fill(server, lake.folder, "events/prod");
    expect(await build()).toMatchObject({ code: 0 });
    await done("rollback", "--date", DAY, "--metric", "connected", "--to", "1", "--out", MART);
    server.uploads.set("upload-1", { key: "presence/mart/_presence/runs/x/part", parts: new Map() });
    await done("gc", "--out", MART, "--grace", "0");
    expect(server.uploads.size).toBe(0);
    // Large files go in parts, and are copied in parts.
    const file = join(tempFolder(), "large");
    writeFileSync(file, Buffer.alloc(3_000));
    const store = new S3Store(MART, optionsOf(server.endpoint), FAST, { upload: 1_000, copy: 1_000 });
    await store.putFile("runs/large", file);
    await store.copy("runs/large", "large");
    expect([...used].sort()).toEqual(grantsOf(operator).sort());
  }, 240_000);

  test("the analyst's allows reading, and with ListLake status; it lets nobody write", async () => {
    fill(server, lake.folder, "events/prod");
    expect(await build()).toMatchObject({ code: 0 });
    const before = new Map(server.objects);
    const used = enforce(analyst);
    expect(await run("quarantine", "--date", DAY, "--out", MART)).toMatchObject({ code: 0 });
    expect(await run("report", "--date", DAY, "--out", MART)).toMatchObject({ code: 0 });
    expect(await run("drift", "--date", DAY, ...(await realtime()), "--no-record", "--out", MART)).toMatchObject({
      code: 0,
    });
    const status = () => run("status", "--date", DAY, "--lake", LAKE, "--out", MART, "--check");
    expect(await status()).toMatchObject({ code: 3, stderr: expect.stringContaining("no permission for the lake") });
    expect(await build()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no permission for s3://presence"),
    });
    expect([...used].sort()).toEqual(grantsOf(analyst).sort());
    const listLake = operator.Statement.filter(({ Sid }) => Sid === "ListLake");
    enforce({ ...analyst, Statement: [...analyst.Statement, ...listLake] });
    expect(await status()).toMatchObject({ code: 0 });
    expect(server.objects).toEqual(before);
  });

  test("each grant is needed: without it a command fails", async () => {
    fill(server, lake.folder, "events/prod");
    for (const grant of [
      "ListLake s3:ListBucket",
      "ReadLake s3:GetObject",
      "ListMart s3:ListBucket",
      "WriteMart s3:PutObject",
    ]) {
      const without = operator.Statement.map((statement) => ({
        ...statement,
        Action: [statement.Action].flat().filter((action) => `${statement.Sid} ${action}` !== grant),
      }));
      enforce({ ...operator, Statement: without });
      const { code, stderr } = await build();
      expect(code, grant).not.toBe(0);
      expect(stderr, grant).toContain("no permission for");
    }
  });
});

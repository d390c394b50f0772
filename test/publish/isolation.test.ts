import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DuckDbSession } from "../../src/engine/duckdb/session.ts";
import { withPrivateFolder } from "../../src/publish/private-folder.ts";
import { identityTag, isDead, ownIdentity } from "../../src/publish/process-identity.ts";
import { type BuiltProgram, buildProgram } from "../cli/built-program.ts";
import { rebuildArgs } from "../soak/process.ts";
import { build, leftovers, published } from "./mart-tools.ts";
import { SmallLake, tempFolder } from "./small-lake.ts";

describe("a session of the engine", () => {
  const folder = tempFolder();
  const other = join(tempFolder(), "other.csv");
  writeFileSync(other, "a\n1\n");
  let session: DuckDbSession;
  beforeAll(async () => {
    session = await DuckDbSession.open({ folder, threads: 1, memoryLimitBytes: null, reads: ["/etc/hostname"] });
  });
  afterAll(() => session.close());

  test.each([
    ["reads no file but its own", `select * from read_csv('${other}')`],
    ["writes nowhere else", `copy (select 1) to '${other}.parquet' (format parquet)`],
    ["loads no extension", "load httpfs"],
    ["installs none", "install httpfs"],
    ["reaches no network", "select * from read_parquet('https://example.com/a.parquet')"],
    ["attaches no other database", `attach '${other}.db'`],
    ["cannot be opened up again", "set enable_external_access = true"],
    ["keeps its settings", "set temp_directory = '/tmp'"],
  ])("%s", async (_, sql) => {
    await expect(session.run(sql)).rejects.toThrow(/permission|disabled|locked|cannot|not allowed/i);
  });

  test("reads and writes what it was given", async () => {
    await session.run("select * from read_text('/etc/hostname')");
    await session.run(`copy (select 1 as a) to '${join(folder, "a.parquet")}' (format parquet)`);
    expect(await session.rows(`select a from read_parquet('${join(folder, "a.parquet")}')`)).toEqual([{ a: 1 }]);
  });
});

test("lakes of strange names and behind links are read all the same", async () => {
  const strange = join(tempFolder(), "a [lake]*'é %20");
  const lake = new SmallLake(strange);
  await lake.add(10, ["a"]).catch(() => {});
  const real = new SmallLake(tempFolder("real-"));
  await real.add(10, ["a"]);
  const linked = join(dirname(strange), "link to [it]");
  symlinkSync(real.folder, linked);
  const out = join(tempFolder(), "mart [x]*'");
  expect((await build(linked, out)).days[0]?.metrics[0]?.users).toBe(1);
});

describe("the private folder of a run", () => {
  test("is only this user's, and goes with the work, also when that fails", async () => {
    const parent = tempFolder();
    let seen = "";
    const work = withPrivateFolder(parent, async (folder) => {
      seen = folder;
      expect(lstatSync(folder).mode & 0o777).toBe(0o700);
      throw new Error("failed");
    });
    await expect(work).rejects.toThrow("failed");
    expect(existsSync(seen)).toBe(false);
    expect(readdirSync(parent)).toEqual([]);
  });

  test("of a dead process is removed by the next run, others never", async () => {
    const parent = tempFolder();
    const own = ownIdentity();
    const ended = spawnSync(process.execPath, ["-e", ""]).pid;
    const make = (name: string, owner: object | null) => {
      mkdirSync(join(parent, name));
      if (owner !== null) writeFileSync(join(parent, name, "owner.json"), JSON.stringify(owner));
    };
    make("presence-batch-living", own);
    make("presence-batch-ended", { ...own, pid: ended });
    make("presence-batch-reused-number", { ...own, start: "1" });
    make("presence-batch-before-reboot", { ...own, boot: "another" });
    make("presence-batch-other-host", { ...own, host: "elsewhere", pid: ended });
    make("presence-batch-other-container", { ...own, namespace: "pid:[1]", pid: ended });
    make("presence-batch-of-another-version", null);
    make(`presence-batch-${identityTag({ ...own, pid: ended })}-abc`, null);
    const begun = `presence-batch-${identityTag(own)}-def`;
    make(begun, null);
    make(`presence-batch-${identityTag({ ...own, pid: ended, host: "elsewhere" })}-ghi`, null);
    make("somebody-elses", { ...own, pid: ended });
    symlinkSync(join(parent, "somebody-elses"), join(parent, "presence-batch-link"));
    await withPrivateFolder(parent, async () => {});
    expect(
      readdirSync(parent)
        .sort()
        .filter((name) => !/^presence-batch-\d/.test(name)),
    ).toEqual([
      "presence-batch-link",
      "presence-batch-living",
      "presence-batch-of-another-version",
      "presence-batch-other-container",
      "presence-batch-other-host",
      "somebody-elses",
    ]);
    expect(readdirSync(parent).filter((name) => /^presence-batch-\d/.test(name))).toHaveLength(2);
    expect(existsSync(join(parent, begun))).toBe(true);
    expect(isDead(own)).toBe(false);
  });
});

describe("a run that is stopped", () => {
  let program: BuiltProgram;
  beforeAll(() => {
    program = buildProgram();
  });
  afterAll(() => program.remove());

  test.each([["SIGTERM", 143] as const, ["SIGINT", 130] as const])(
    "by %s leaves nothing behind",
    async (signal, code) => {
      const lake = new SmallLake(tempFolder("lake-"));
      await lake.add(10, ["a"]);
      const [out, tempDir] = [join(tempFolder(), "mart"), tempFolder()];
      const run = program.start(rebuildArgs({ lake, out, tempDir }, ["connected"]));
      await run.told("stage 3/");
      expect(readdirSync(tempDir)).toHaveLength(1);
      run.kill(signal);
      expect((await run.done).code).toBe(code);
      expect(readdirSync(tempDir)).toEqual([]);
      expect(published(out)).toEqual({});
      expect(leftovers(out)).toEqual([]);
    },
  );
});

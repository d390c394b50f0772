/** A mart of a week: rollups are the sums of its days, and live in the mart as days do. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { rebuild } from "../../src/usecases/rebuild.ts";
import { commandIn, type Ran } from "../explain/workplace.ts";
import { effects, rebuildOptions, snapshot } from "../publish/mart-tools.ts";
import { SmallLake, tempFolder } from "../publish/small-lake.ts";
import { readPublished } from "../support/read-mart.ts";

const WEEK = Array.from({ length: 7 }, (_, i) => `2024-01-${15 + i}`);
const AFTER = Date.parse("2024-02-01T00:00:00Z");
const folder = tempFolder("rollup-");
const out = join(folder, "mart");
const lake = new SmallLake(join(folder, "lake"), [-24, 24 * 9]);

const build = (from: string, to: string, metrics = ["connected", "foreground"]) =>
  rebuild(rebuildOptions(lake.folder, out, { days: { kind: "range", from, to }, metrics }), effects({ nowMs: AFTER }));
const run = (...args: string[]): Promise<Ran> => commandIn(folder, [...args, "--out", "mart"], { now: () => AFTER });
const rollup = (...args: string[]) => run("rollup", ...args);
const status = async (...args: string[]) =>
  JSON.parse((await run("status", "--from", WEEK[0]!, "--to", WEEK[6]!, "--lake", "lake", "--json", ...args)).stdout);

beforeAll(async () => {
  await lake.add(1, ["u1", "u2"]);
  // Over midnight: one session on two days.
  await lake.add(23, ["u1"], { minutes: 65 });
  await lake.add(50, ["u1", "u3"], { minutes: 30 });
  await lake.add(150, ["u2", "u1"], { minutes: 5 });
  await build(WEEK[0]!, WEEK[6]!);
}, 120_000);

const PATH = "metric=foreground/version=1";
const weekly = () => readPublished(out, `user_weekly/${PATH}/week=2024-W03`) as Promise<Record<string, unknown>[]>;

describe("rollup --week", () => {
  test("is the sum of its days, by user", async () => {
    const { code, stdout, stderr } = await rollup("--week", "2024-W03");
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/\n2024-W03 +foreground@1 +3 +2:25:00 +7 +7 +/);
    const days = await Promise.all(
      WEEK.map(async (day) => {
        const read = (table: string) =>
          readPublished(out, `${table}/${PATH}/date=${day}`) as Promise<Record<string, unknown>[]>;
        return { day, users: await read("user_daily"), sessions: await read("session_daily") };
      }),
    );
    const rows = await weekly();
    expect(rows.map(({ user_id }) => user_id)).toEqual(["u1", "u2", "u3"]);
    for (const row of rows) {
      const own = days.flatMap(({ day, users }) =>
        users
          .filter(({ user_id }) => user_id === row.user_id)
          .map((user): Record<string, unknown> => ({ ...user, day })),
      );
      const sum = (name: string) => own.reduce((total, user) => total + Number(user[name]), 0);
      const longest = own.reduce((a, b) => (Number(b.online_ms) > Number(a.online_ms) ? b : a));
      const sessions = days.flatMap(({ sessions: all }) => all.filter(({ user_id }) => user_id === row.user_id));
      expect(row).toMatchObject({
        online_ms: sum("online_ms"),
        session_ms: sum("session_ms"),
        sessions: new Set(sessions.map(({ session_id }) => session_id)).size,
        active_days: own.length,
        longest_day_ms: longest.online_ms,
      });
      expect(new Date(row.longest_day as string | number).toISOString().slice(0, 10)).toBe(longest.day);
    }
    // The session over midnight is one, though each of its days has it.
    expect(rows[0]).toMatchObject({ sessions: 4, active_days: 4 });
    expect(days.flatMap(({ sessions }) => sessions).filter(({ user_id }) => user_id === "u1")).toHaveLength(5);
  });

  test("again, has nothing to do", async () => {
    const before = snapshot(out);
    const { stdout } = await rollup("--week", "2024-W03");
    expect(stdout).toMatch(/already there: nothing to publish\n$/);
    expect(snapshot(out)).toEqual(before);
  });

  test("leaves the days as they are, and verify --data and gc find it sound", async () => {
    const { code, stdout } = await run("verify", "--data");
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^8 dates verified: .* as committed/),
    });
    expect((await run("gc", "--grace", "0")).stdout).toMatch(/^0 runs and 0 leftovers removed/);
    expect((await status()).rollups).toEqual(
      ["connected", "foreground"].map((metric) =>
        expect.objectContaining({ period: "2024-W03", metric, state: "current", changedDays: [] }),
      ),
    );
  });

  test("export reads it, exact", async () => {
    const { stdout } = await run(
      "export",
      "--table",
      "user_weekly",
      "--week",
      "2024-W03",
      "--metric",
      "foreground",
      "--format",
      "csv",
    );
    expect(stdout).toMatch(
      /^week,metric,version,user_id,online_ms,.*\r\n2024-W03,foreground,1,u1,6300000,6300000,4,4,2024-01-15,/,
    );
  });
});

describe("other periods", () => {
  test("a range is told and not published", async () => {
    const before = snapshot(out);
    const { stdout } = await rollup("--from", WEEK[0]!, "--to", WEEK[1]!, "--json", "--metric", "foreground");
    expect(JSON.parse(stdout)).toMatchObject({
      published: null,
      period: { kind: "range", name: "2024-01-15..2024-01-16", days: 2 },
      metrics: [
        {
          metric: "foreground",
          users: 2,
          onlineMs: 4_500_000,
          sessions: 3,
          activeDays: 3,
          p50Ms: 300_000,
          p99Ms: 4_200_000,
        },
      ],
    });
    expect(snapshot(out)).toEqual(before);
  });

  test("missing days are named, and end with 3 unless told to go on", async () => {
    const refused = await rollup("--month", "2024-01", "--metric", "foreground");
    expect(refused.stderr).toMatch(
      /^error: 2024-01 lacks 24 of 31 days of foreground@1: 2024-01-01, 2024-01-02, .* and 19 more\nBuild them first: presence-batch rebuild --from 2024-01-01 --to 2024-01-31 --metric foreground@1, or go on without them: --missing-days 24\n$/,
    );
    expect(refused.code).toBe(3);
    expect((await rollup("--month", "2024-01", "--metric", "foreground", "--missing-days", "23")).code).toBe(3);
    const { code, stdout, stderr } = await rollup(
      "--month",
      "2024-01",
      "--metric",
      "foreground",
      "--missing-days",
      "24",
    );
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^warning: 2024-01 foreground@1 is incomplete: it lacks 24 days from 2024-01-01 to 2024-01-31\n$/,
    );
    expect(stdout).toMatch(/\n2024-01\* +foreground@1 +3 /);
    const rows = await readPublished(out, `user_monthly/${PATH}/month=2024-01`);
    expect(rows).toEqual(await weekly());
  });

  test("`last` is the last one that is over", async () => {
    expect((await rollup("--week", "last")).stderr).toMatch(/has no day of 2024-W04\n/);
    expect((await rollup("--month", "last", "--metric", "connected", "--missing-days", "31")).stdout).toMatch(
      /^period .*\n2024-01\* +connected@1 /,
    );
  });

  test.each([
    [["--week", "2024-W53"], /--week: "2024-W53" is no week or month\n/],
    [["--week", "2024-01"], /2024-01 is a month, no week\ngive it as --month\n/],
    [["--week", "2024-W03", "--from", "2024-01-15", "--to", "2024-01-16"], /--from does not go with --week\n/],
    [[], /which period\?\nfor example --week /],
  ])("refuses %j", async (args, message) => {
    const { code, stderr } = await rollup(...args);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});

describe("when a day changes", () => {
  test("status calls the week stale, and a new rollup makes it current; the old one can be gone back to", async () => {
    const before = await weekly();
    await lake.add(60, ["u9"]);
    await build(WEEK[2]!, WEEK[2]!, ["foreground"]);
    const stale = await status("--metric", "foreground");
    expect(
      stale.rollups.map(({ period, state, changedDays }: Record<string, unknown>) => ({ period, state, changedDays })),
    ).toEqual([
      { period: "2024-01", state: "stale", changedDays: ["2024-01-17"] },
      { period: "2024-W03", state: "stale", changedDays: ["2024-01-17"] },
    ]);
    expect(
      (await run("status", "--date", "2024-01-17", "--lake", "lake", "--metric", "foreground", "--check")).code,
    ).toBe(4);
    // Its days' runs may have been replaced: what it was made of is still there.
    expect((await run("verify", "--data", "--date", "2024-01-17")).code).toBe(0);
    expect((await rollup("--week", "2024-W03", "--metric", "foreground")).code).toBe(0);
    const after = await weekly();
    expect(after.map(({ user_id }) => user_id)).toEqual(["u1", "u2", "u3", "u9"]);
    const back = await run("rollback", "--date", "2024-W03", "--metric", "foreground", "--to", "1");
    expect(back.stdout).toMatch(/^2024-W03 foreground@1 is that of commit 1 again: commit 3, /);
    expect(await weekly()).toEqual(before);
    expect((await rollup("--week", "2024-W03", "--metric", "foreground")).code).toBe(0);
    expect(await weekly()).toEqual(after);
  });

  test("verify tells and repairs a damaged file, and what readers would count besides", async () => {
    const file = join(out, `user_weekly/${PATH}/week=2024-W03/part-00000.parquet`);
    rmSync(file);
    writeFileSync(join(out, `user_weekly/${PATH}/week=2024-W03/stray.parquet`), "");
    const { code, stdout } = await run("verify");
    expect(stdout).toMatch(/published missing/);
    expect(stdout).toMatch(/stray\.parquet/);
    expect(code).toBe(4);
    rmSync(join(out, `user_weekly/${PATH}/week=2024-W03/stray.parquet`));
    expect((await run("verify", "--repair")).code).toBe(0);
    expect(await weekly()).toHaveLength(4);
  });

  test("gc keeps what rollups are taken from, and removes what they were", async () => {
    const rows = await weekly();
    const later = { now: () => Date.now() + 60_000 };
    const removed = await commandIn(folder, ["gc", "--grace", "0", "--out", "mart"], later);
    expect(removed.stdout).toMatch(/^run \S+-2024-W03, .*\n1 run and 0 leftovers removed, /);
    expect((await run("verify", "--data")).code).toBe(0);
    expect(await weekly()).toEqual(rows);
  });
});

describe("what does not add up is refused", () => {
  test("days of another version", async () => {
    const text = (version: number, max: string) =>
      `name: near\nversion: ${version}\nonline: connected\ngap: { max: ${max}, credit: 30s }\ntail: 30s\n`;
    writeFileSync(join(folder, "near-1.yaml"), text(1, "90s"));
    writeFileSync(join(folder, "near-2.yaml"), text(2, "60s"));
    await build(WEEK[0]!, WEEK[3]!, [join(folder, "near-1.yaml")]);
    await build(WEEK[4]!, WEEK[6]!, [join(folder, "near-2.yaml")]);
    const { code, stderr } = await rollup("--week", "2024-W03", "--metric", "near");
    expect(stderr).toMatch(
      /^error: 2024-W03 has more than one version of near: near@1 on 2024-01-15, .*2024-01-18; near@2 on 2024-01-19, 2024-01-20, 2024-01-21\nThey do not add up\. /,
    );
    expect(code).toBe(3);
    const one = await rollup("--week", "2024-W03", "--metric", "near@2");
    expect(one.stderr).toMatch(/lacks 4 of 7 days of near@2: 2024-01-15, /);
  });

  test("days on which the definition meant something else", async () => {
    const commit = JSON.parse(readFileSync(join(out, "_presence/commits/date=2024-01-19/00000001.json"), "utf8"));
    const path = join(out, "_presence/runs", commit.parts["connected@1"].run, "manifest.json");
    const manifest = readFileSync(path, "utf8");
    const { hash } = JSON.parse(manifest).definitions.find(({ name }: { name: string }) => name === "connected");
    writeFileSync(path, manifest.replaceAll(hash, "0".repeat(64)));
    const { code, stderr } = await rollup("--week", "2024-W03", "--metric", "connected");
    expect(stderr).toMatch(/^error: connected@1 means something else on 2024-01-19.* than in the mart\n/);
    expect(code).toBe(3);
    writeFileSync(path, manifest);
  });

  test("days that older rules have counted", async () => {
    const commits = ["2024-01-16", "2024-01-20"].map((day) => {
      const folderOf = join(out, `_presence/commits/date=${day}`);
      const path = join(folderOf, readdirSync(folderOf).sort().at(-1)!);
      return { path, text: readFileSync(path, "utf8") };
    });
    for (const { path, text } of commits) writeFileSync(path, text.replaceAll('"rules": 1', '"rules": 0'));
    const { code, stderr } = await rollup("--week", "2024-W03", "--metric", "connected");
    expect(stderr).toMatch(
      /^error: 2024-W03 has days of connected@1 that were counted by older rules \(RULES 0\): 2024-01-16, 2024-01-20\nRebuild them: presence-batch rebuild --stale --from 2024-01-16 --to 2024-01-20/,
    );
    expect(code).toBe(3);
    for (const { path, text } of commits) writeFileSync(path, text);
  });
});

import { join } from "node:path";
import { expect, test } from "vitest";
import { runFake } from "../cli/fakes.ts";
import { freshFolder, hashes } from "./support.ts";

test("the example of --help works as it stands, and tells how to go on", async () => {
  const cwd = await freshFolder();
  const { stdout: help } = await runFake(["sample", "--help"]);
  const example = /^ {2}presence-batch (sample .+)$/m.exec(help)![1]!.split(" ");
  const ran = await runFake(example, { io: { cwd } });
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.stdout).toMatch(/^[\d,]+ events of 100 users in [\d,]+ sessions, \d+ files in /);
  expect(ran.stdout).toMatch("business days 2026-07-28 to 2026-07-29 of Europe/Berlin");
  expect(ran.stdout).toMatch("presence-batch rebuild --date 2026-07-29 --tz Europe/Berlin --lake");
  expect(ran.stderr).toMatch(/^part 4\/4: [\d,]+ events$/m);
  expect(Object.keys(await hashes(join(cwd, "sample-lake"))).length).toBeGreaterThan(49);
  expect(await runFake(example, { io: { cwd } })).toMatchObject({ code: 2, stdout: "", stderr: /is not empty/ });
});

test("--json gives one document", async () => {
  const cwd = await freshFolder();
  const flags = ["--out", "lake", "--tz", "UTC", "--from", "2026-07-28", "--days", "1", "--users", "5", "--truth"];
  const { code, stdout } = await runFake(["sample", ...flags, "--json"], { io: { cwd } });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    schema: "presence-batch/sample@1",
    ...{ users: 5, days: 1, from: "2026-07-28", seed: 1, zone: "UTC", truth: true, businessDays: ["2026-07-28"] },
    ...{ completeFrom: "2026-07-28T00:00:00.000Z", completeTo: "2026-07-29T01:00:00.000Z" },
  });
});

test.each([
  [["--tz", "UTC", "--from", "2026-07-28"], "--out is missing"],
  [["--out", "lake", "--from", "2026-07-28"], "--tz is missing"],
  [["--out", "lake", "--tz", "UTC"], "--from is missing"],
  [["--out", "s3://bucket/lake", "--tz", "UTC", "--from", "2026-07-28"], "--out: a sample is written to a folder"],
  [["--out", "lake", "--tz", "Mars", "--from", "2026-07-28"], "--tz: time zone"],
  [["--out", "lake", "--tz", "UTC", "--from", "2026-02-30"], "--from: "],
  [["--out", "lake", "--tz", "UTC", "--from", "2026-07-28", "--users", "0"], "--users: "],
  [["--out", "lake", "--tz", "UTC", "--from", "2026-07-28", "--days", "367"], "--days: "],
  [["--out", "lake", "--tz", "UTC", "--from", "2026-07-28", "--seed", "-1"], "--seed: "],
])("%j is refused: %s", async (flags, message) => {
  const cwd = await freshFolder();
  const ran = await runFake(["sample", ...flags], { io: { cwd } });
  expect(ran).toMatchObject({ code: 2, stdout: "" });
  expect(ran.stderr).toMatch(message);
  expect(await hashes(cwd)).toEqual({});
});

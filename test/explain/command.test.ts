/** explain as a command, on a lake and beside a mart. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Explanation } from "../../src/explain/explanation.ts";
import { LakeBuilder } from "../oracle/build.ts";
import { hoursAround } from "./hand-made.ts";
import { writePlainLake } from "./plain-lake.ts";
import { EVENTS, type Workplace, workplace } from "./workplace.ts";

let place: Workplace;
beforeAll(async () => {
  place = await workplace();
}, 120_000);
afterAll(() => place.remove());

const explain = (...args: string[]) => place.command("explain", "--date", "2024-01-15", "--lake", "lake", ...args);

describe("explain beside a mart", () => {
  test("says that the mart says the same, with the mart's zone, for every user that it has", async () => {
    for (const user of ["u1", "u2"]) {
      const { code, stdout } = await explain("--user", user, "--out", "mart", "--metric", "connected,foreground");
      expect(code).toBe(0);
      expect(stdout.match(/The mart says the same \(run /g)).toHaveLength(2);
      expect(stdout).not.toContain("Note:");
    }
  });

  test("without --metric it takes foreground, and --json has every event once", async () => {
    const { stdout } = await explain("--user", "u1", "--out", "mart", "--json");
    const document = JSON.parse(stdout) as Explanation & { schema: string };
    expect(document.schema).toBe("presence-batch/explain@1");
    expect(document.definitions.map(({ name, mart: row }) => [name, row.kind])).toEqual([["foreground", "row"]]);
    expect(document.definitions[0]!.mart).toMatchObject({ equal: true, onlineMs: 210_000 });
    expect(document.events).toHaveLength(25);
    expect(document.source.settingsFrom).toBe("mart");
    expect(document.counts.quarantined).toMatchObject({ LATE_EVENT: 1, STALE_TIMEOUT: 1, IDENTITY_CONFLICT: 3 });
  });

  test("a definition that the mart does not have is computed from the lake, and said so", async () => {
    const { stdout } = await explain("--user", "u1", "--out", "mart", "--metric", "capped");
    expect(stdout).toMatch("the mart does not have this day of this definition");
  });

  test("a lake that has changed since is told as the reason of a difference", async () => {
    const other = join(place.folder, "other-lake");
    const more = new LakeBuilder();
    for (const { values, hourMs } of EVENTS)
      more.add(Number(values.server_time), String(values.event_type), values, hourMs);
    more.beat("20:00:00", "20:05:00", 30_000, { session_id: "s-more" });
    await writePlainLake(more.events, hoursAround(more.events), other);
    const { code, stdout } = await place.command(
      ...["explain", "--date", "2024-01-15", "--lake", other, "--user", "u1", "--out", "mart", "--metric", "connected"],
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/The mart says 3m 30\.000s \(210,000 ms, run \S+\): a difference of 330,000 ms\./);
    expect(stdout.replaceAll("\n", " ")).toMatch("the mart's row was built from other files than the lake has now");
  });

  test.each([
    [["--user", "u1", "--out", "mart", "--tz", "Asia/Shanghai"], 2, "its days are those of UTC, not of Asia/Shanghai"],
    [
      ["--user", "u1", "--out", "mart", "--config", "other.yaml"],
      2,
      "it was built with allowedLatenessMs 600000, not 60000",
    ],
    [["--user", "u1", "--out", "nothing"], 2, "there is no mart in"],
    [["--user", "u1"], 2, "--tz is missing"],
    [["--tz", "UTC"], 2, "--user is missing"],
    [["--user", "U1", "--tz", "UTC"], 3, "no event of user U1 in the read window of 2024-01-15\nDid you mean u1"],
    [["--user", "nobody", "--tz", "UTC"], 3, "Ids are compared exactly"],
    [["--user", "u1", "--tz", "UTC", "--metric", "conected"], 2, "did you mean connected@1?"],
    [["--user", "u1", "--tz", "UTC", "--limit", "0"], 2, "a whole number from 1"],
  ])("%s fails with %i", async (args, code, message) => {
    writeFileSync(join(place.folder, "other.yaml"), "allowedLateness: 1m\n");
    const ran = await explain(...args);
    expect(ran).toMatchObject({ code, stdout: "" });
    expect(ran.stderr).toMatch(message);
  });

  test("--limit lists the first events only and says how many more there are; the sum is that of all", async () => {
    const { stdout } = await explain("--user", "u1", "--tz", "UTC", "--metric", "connected", "--limit", "4");
    expect(stdout).toMatch("… 21 more events not listed");
    expect(stdout).toMatch(/online on 2024-01-15 .* 210,000 ms/);
  });
});

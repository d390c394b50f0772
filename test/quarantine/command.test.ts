/** quarantine as a command, on the mart of a small lake. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { REASONS } from "../../src/quarantine/reasons.ts";
import { type Workplace, workplace } from "../explain/workplace.ts";

let place: Workplace;
beforeAll(async () => {
  place = await workplace();
}, 120_000);
afterAll(() => place.remove());

describe("quarantine", () => {
  test("counts by reason and client, with what it means and an example", async () => {
    const { code, stdout } = await place.command("quarantine", "--date", "2024-01-15", "--out", "mart");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^2024-01-15: 15 of 28 events quarantined \(53\.57%\) by run /);
    expect(stdout).toMatch(/\nIDENTITY_CONFLICT +R8 +3 +10\.71% +unknown 100%\n/);
    expect(stdout).toMatch("LATE_EVENT [R11]: 1 event, 3.57% of the day's\n  means ");
    expect(stdout).toMatch("  detail    user_id 66.67%, device_id 33.33%\n");
    expect(stdout).toMatch(/example {3}event_id=e17 user_id=u1 session_id=s1 event_type=HEARTBEAT/);
    for (const line of stdout.split("\n")) expect(line.length, line).toBeLessThanOrEqual(100);
  });

  test("--reason keeps to one reason, and a misspelt one is refused", async () => {
    const one = await place.command(
      "quarantine",
      "--date",
      "2024-01-15",
      "--out",
      "mart",
      "--reason",
      "STALE_EPOCH",
      "--json",
    );
    expect(JSON.parse(one.stdout)).toMatchObject({
      schema: "presence-batch/quarantine@1",
      owned: 28,
      accepted: 13,
      reasons: [{ reason: "STALE_EPOCH", rule: "R9", events: 1, examples: [{ session_epoch: 1, sequence: 14 }] }],
    });
    const wrong = await place.command("quarantine", "--date", "2024-01-15", "--out", "mart", "--reason", "STALE_EPOC");
    expect(wrong).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("did you mean STALE_EPOCH?") });
  });

  test("--csv gives the rows as RFC 4180, each once, in the order of file and row", async () => {
    const { stdout } = await place.command("quarantine", "--date", "2024-01-15", "--out", "mart", "--csv");
    const file = join(place.folder, "rows.csv");
    writeFileSync(file, stdout);
    const duckdb = await (await DuckDBInstance.create(":memory:")).connect();
    const rows = (
      await duckdb.runAndReadAll(`select * from read_csv('${file}', all_varchar = true, strict_mode = true)`)
    ).getRowObjectsJS();
    expect(rows).toHaveLength(15);
    expect(stdout.split("\r\n")).toHaveLength(17);
    const places = rows.map((row) => `${row.source_file} ${String(row.source_row).padStart(4, "0")}`);
    expect(places).toEqual([...new Set(places)].sort());
    expect(rows.find(({ reason }) => reason === "SEQUENCE_JUMP")).toMatchObject({
      sequence: "4294967295",
      server_time: "2024-01-15T10:01:20.000Z",
    });
    const limited = await place.command("quarantine", "--date", "2024-01-15", "--out", "mart", "--csv", "--limit", "2");
    expect(limited.stdout).toBe(`${stdout.split("\r\n").slice(0, 3).join("\r\n")}\r\n`);
    const none = await place.command(
      "quarantine",
      "--date",
      "2024-01-15",
      "--out",
      "mart",
      "--csv",
      "--reason",
      "TIME_UNIT",
    );
    expect(none).toMatchObject({ code: 0, stdout: "path,bytes,reason,detail\r\n" });
    duckdb.closeSync();
  });

  test.each([
    [["--date", "2024-01-16", "--out", "mart"], 3, "has no day 2024-01-16"],
    [["--date", "2024-01-15", "--out", "nothing"], 2, "there is no mart in"],
    [["--date", "2024-01-15"], 2, "--out is missing"],
    [["--out", "mart"], 2, "--date is missing"],
    [["--date", "2024-01-15", "--out", "mart", "--csv", "--json"], 2, "--csv does not go with --json"],
  ])("%s fails with %i", async (args, code, message) => {
    const ran = await place.command("quarantine", ...args);
    expect(ran).toMatchObject({ code, stdout: "" });
    expect(ran.stderr).toMatch(message);
  });
});

describe("the texts of reasons", () => {
  test.each(Object.entries(REASONS))(
    "%s says in whole sentences what it means and what to do",
    (_, { means, todo, rule, of }) => {
      expect(means).toMatch(/^[A-Za-z].*\.$/);
      expect(todo).toMatch(/^[A-Z].*\.$/);
      expect(rule).toMatch(of === "file" ? /^files$/ : /^R\d+$/);
    },
  );
});

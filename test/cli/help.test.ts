import { describe, expect, test } from "vitest";
import { flagName, OPTION_NAMES, SETTING_OPTIONS } from "../../src/plan/option-table.ts";
import { runFake } from "./fakes.ts";

const COMMANDS = ["", "rebuild", "metrics", "metrics list", "metrics show", "metrics check"];

const helpOf = (command: string) => runFake([...command.split(" ").filter(Boolean), "--help"]);

describe("--help", () => {
  test.each(COMMANDS)("of `presence-batch %s` goes to stdout with an example that is accepted", async (command) => {
    const { code, stdout, stderr } = await helpOf(command);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const examples = [...stdout.matchAll(/^ {2}presence-batch (.+)$/gm)].map((match) => match[1]!);
    expect(examples).toHaveLength(1);
    for (const example of examples) expect(await runFake(example.split(" "))).toMatchObject({ code: 0, stderr: "" });
  });

  test("`help rebuild` is the same", async () => {
    expect(await runFake(["help", "rebuild"])).toEqual(await helpOf("rebuild"));
  });

  test("rebuild has a flag for every option but the lake settings, which belong to the mart", async () => {
    const { stdout } = await helpOf("rebuild");
    const flags = new Set([...stdout.matchAll(/^ {2}(--[a-z-]+)/gm)].map((match) => match[1]!));
    const options = OPTION_NAMES.filter((name) => !Object.hasOwn(SETTING_OPTIONS, name)).map(flagName);
    expect([...flags].sort()).toEqual([...options, "--config"].sort());
  });

  test("follows the terminal's width", async () => {
    const { stdout } = await runFake(["rebuild", "--help"], { io: { columns: 200 } });
    expect(stdout).toMatch("quarantine and count the good files (default: fail)\n");
  });
});

test("--version names tool, engine, rules and time-zone data", async () => {
  const expected = "presence-batch 1.2.3 (duckdb 9.8.7, rules 4, time-zone data 2099z)\n";
  expect(await runFake(["--version"])).toEqual({ code: 0, stdout: expected, stderr: "" });
  expect(await runFake(["-V"])).toMatchObject({ code: 0, stdout: expected });
});

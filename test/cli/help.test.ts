import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProgram } from "../../src/cli/program.ts";
import { flagName, OPTION_NAMES, SETTING_OPTIONS } from "../../src/plan/option-table.ts";
import { commandIn } from "../explain/workplace.ts";
import { ROOT, runFake } from "./fakes.ts";

const helpOf = (command: string) => runFake([...command.split(" ").filter(Boolean), "--help"]);

async function exampleOf(command: string): Promise<string> {
  const examples = [...(await helpOf(command)).stdout.matchAll(/^ {2}presence-batch (.+)$/gm)];
  expect(examples, `${command} --help`).toHaveLength(1);
  return examples[0]![1]!;
}

/**
 * What the example of each command leaves behind or prints. They are run in this order, in one folder; that of `sample` by
 * test/sample/command.test.ts.
 */
const EXAMPLES: Readonly<Record<string, (stdout: string, folder: string) => void>> = {
  "": (stdout) => {
    expect(stdout).toMatch(/\n2019-03-15 +foreground@1 +11 /);
    expect(stdout).toMatch(/\n1 day published to \S+\/out by run /);
  },
  rebuild: (stdout, folder) => {
    for (const metric of ["connected", "foreground", "active"]) {
      expect(stdout).toMatch(new RegExp(`\n2019-03-15 +${metric}@1 +11 `));
      const file = `out/user_daily/metric=${metric}/version=1/date=2019-03-15/part-00000.parquet`;
      expect(existsSync(join(folder, file)), file).toBe(true);
    }
  },
  status: (stdout) => expect(stdout.match(/\n2019-03-15 +(connected|foreground|active)@1 +current/g)).toHaveLength(3),
  verify: (stdout) => expect(stdout).toMatch(/as committed/),
  rollback: (stdout) => expect(stdout).toMatch(/^2019-03-15 foreground@1 is that of commit 1 already \(run /),
  gc: (stdout) => expect(stdout).toMatch(/^dry run: 0 runs and 0 leftovers would be removed, /),
  doctor: (stdout) => expect(stdout).toMatch(/^ok +mart +\S+\/out is a mart of America\/Caracas$/m),
  explain: (stdout) => {
    expect(stdout).toMatch("u07");
    expect(stdout).toMatch(/active@1/);
    expect(stdout).toMatch(/online on 2019-03-15 /);
  },
  online: (stdout) =>
    expect(stdout).toMatch(/^2019-03-15 12:05:00\.000 -04:00 .*: [1-9]\d* users online under foreground@1/),
  drift: (stdout) => {
    expect(stdout).toMatch(/^drift of users on 2019-03-15, connected@1\n/);
    expect(stdout).toMatch("\nverdict: pass\n");
    expect(stdout).toMatch(/\n11 users compared: 0 equal, 0 over\n/);
  },
  report: (stdout, folder) => {
    expect(stdout).toMatch(/\nforeground@1 +11 .*\n(.*\n)*page written to report\.html\n$/);
    expect(readFileSync(join(folder, "report.html"), "utf8")).toMatch(
      /<h1>Online time on <span class="date">2019-03-15<\/span><\/h1>/,
    );
  },
  rollup: (stdout) =>
    expect(stdout).toMatch(/^period .*\n2019-03\* +foreground@1 +11 .*\n1 result published to \S+\/out by run /),
  export: (stdout) => expect(stdout).toMatch(/^date,metric,version,user_id,.*\r\n2019-03-15,foreground,1,u01,/),
  diff: (stdout) => {
    expect(stdout).toMatch(/^diff of 2019-03-15: connected@1 to foreground@1\n/);
    expect(stdout).toMatch(/\nusers +11 +11 +0 +0%\n/);
  },
  quarantine: (stdout) => expect(stdout).toMatch(/^2019-03-15: \d+ of [\d,]+ events quarantined/),
  metrics: (stdout) => expect(stdout).toMatch(/^connected@1 +connected /m),
  "metrics list": (stdout) => expect(stdout).toMatch(/^connected@1 +connected /m),
  "metrics show": (stdout) => expect(stdout).toMatch(/^name: foreground\nversion: 1\n/),
  "metrics check": (stdout) =>
    expect(stdout).toMatch(/ is valid: foreground@1, online: foreground, hash [0-9a-f]{64}\n$/),
};

describe("--help", () => {
  const commands = [...Object.keys(EXAMPLES), "sample"];

  test("every command has an example that is run here", () => {
    const program = createProgram({ stdout() {}, stderr() {}, env: {}, cwd: ROOT, columns: 80 } as never);
    const names = program.commands.flatMap((command) => [
      command.name(),
      ...command.commands.map((inner) => `${command.name()} ${inner.name()}`),
    ]);
    expect(commands.slice(1).sort()).toEqual(names.sort());
  });

  test.each(commands)("of `presence-batch %s` goes to stdout", async (command) => {
    const { code, stdout, stderr } = await helpOf(command);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Usage: presence-batch /);
    await exampleOf(command);
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

describe("the example of --help works as it stands:", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "help-examples-"));
    cpSync(join(ROOT, "fixtures/lesson"), join(folder, "fixtures/lesson"), { recursive: true });
    symlinkSync(join(ROOT, "src"), join(folder, "src"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(Object.entries(EXAMPLES))("presence-batch %s", async (command, check) => {
    const example = await exampleOf(command);
    const { code, stdout, stderr } = await commandIn(folder, example.split(" "));
    expect({ code, stderr: code === 0 ? "" : stderr }, example).toEqual({ code: 0, stderr: "" });
    check(stdout, folder);
  });
});

test("--version names tool, engine, rules and time-zone data", async () => {
  const expected = "presence-batch 1.2.3 (duckdb 9.8.7, rules 4, time-zone data 2099z)\n";
  expect(await runFake(["--version"])).toEqual({ code: 0, stdout: expected, stderr: "" });
  expect(await runFake(["-V"])).toMatchObject({ code: 0, stdout: expected });
});

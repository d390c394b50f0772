import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltProgram, buildProgram } from "./built-program.ts";
import { NEEDED, RESULT } from "./fakes.ts";

// Takes the engine's place: these tests are about the process around it.
const FAKE_REBUILD = `
const tell = (effects) => effects.progress({ kind: "plan", days: 1, definitions: ["active@1"], files: 1 });
export async function planRebuild() {}
export async function rebuild(options, effects) {
  tell(effects);
  const long = (listen) => new Promise((_, reject) => {
    const work = setInterval(() => {}, 1000);
    if (listen) effects.signal.addEventListener("abort", () => { clearInterval(work); reject(new Error("interrupted")); });
  });
  switch (process.env.FAKE) {
    case "long": return long(true);
    case "deaf": return long(false);
    case "lingering": setInterval(() => {}, 1000); return long(true);
    case "throw": throw new Error("boom");
    case "stray": setTimeout(() => { throw new Error("stray boom"); }, 1); return long(true);
    case "large": return { out: "/mart", days: [], filler: Array.from({ length: 300000 }, (_, i) => i) };
    default: return ${JSON.stringify(RESULT)};
  }
}
`;

let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
  program.replace("usecases/rebuild.js", FAKE_REBUILD);
});
afterAll(() => program.remove());

const rebuild = (fake: string, ...flags: string[]) =>
  program.start(["rebuild", ...NEEDED, ...flags], { env: { FAKE: fake } });

describe("the installed program", () => {
  test("--version tells the real versions", async () => {
    const { version } = JSON.parse(readFileSync(join(program.folder, "package.json"), "utf8"));
    const { code, stdout, stderr } = await program.start(["--version"]).done;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^presence-batch \S+ \(duckdb \d+\.\d+\.\d+, rules \d+, time-zone data 20\d\d[a-z]\)\n$/);
    expect(stdout.split(" ")[1]).toBe(version);
  });

  test.each([
    [["rebild"], 2, "(Did you mean rebuild?)"],
    [["rebuild", "--zone"], 2, "unknown option"],
    [["rebuild", "--date", "2026-07-29"], 2, "--tz is missing"],
    [["metrics", "show", "nothing"], 2, "unknown metric"],
  ])("%s fails on stderr", async (args, code, message) => {
    const ran = await program.start(args).done;
    expect(ran).toMatchObject({ code, stdout: "" });
    expect(ran.stderr).toMatch(message);
  });

  test("--json leaves stdout to the document, however large, and closes with 0", async () => {
    const { code, stdout } = await rebuild("large", "--json").done;
    expect(code).toBe(0);
    expect(JSON.parse(stdout).filler).toHaveLength(300_000);
  });

  test("an unexpected error shows no stack, wherever it was thrown", async () => {
    expect(await rebuild("throw").done).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/error: unexpected: boom\n[^\n]+--debug[^\n]+\n$/),
    });
    expect((await rebuild("throw", "--debug").done).stderr).toMatch(/Error: boom\n\s+at /);
    const stray = await rebuild("stray").done;
    expect(stray).toMatchObject({ code: 1, stderr: expect.stringMatching(/error: unexpected: stray boom\n[^\n]+\n$/) });
  });

  test("a reader that stops early is no failure", async () => {
    const running = rebuild("large", "--json");
    running.closeStdout();
    expect(await running.done).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/EPIPE|error/) });
  });
});

describe("signals", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s stops the run with %i", async (signal, code) => {
    const running = rebuild("long");
    await running.told("1 file to read");
    running.kill(signal);
    const { stderr, ...ran } = await running.done;
    expect(ran).toEqual({ code, stdout: "" });
    expect(stderr).toMatch(new RegExp(`\nstopped by ${signal}: nothing was published\n$`));
  });

  test("a run that does not listen is left behind", async () => {
    const running = rebuild("deaf");
    await running.told("1 file to read");
    running.kill("SIGTERM");
    const { code, stderr } = await running.done;
    expect(code).toBe(143);
    expect(stderr).toMatch(/stopped by SIGTERM before the run had put its work away/);
  });

  test("a run that has told its end, and only its process lingers, tells it once", async () => {
    const running = rebuild("lingering");
    await running.told("1 file to read");
    running.kill("SIGTERM");
    const { code, stderr } = await running.done;
    expect(code).toBe(143);
    expect(stderr.match(/stopped by/g)).toHaveLength(1);
  });
});

describe("what is loaded", () => {
  // The hooks see every module that is imported, also those of packages.
  const HOOKS = `
import { appendFileSync } from "node:fs";
export async function load(url, context, next) {
  appendFileSync(process.env.LOADED, url + "\\n");
  return next(url, context);
}`;

  async function loadedBy(args: readonly string[]): Promise<string> {
    const hooks = join(program.folder, "hooks.mjs");
    const register = join(program.folder, "register.mjs");
    const loaded = join(program.folder, "loaded.txt");
    writeFileSync(hooks, HOOKS);
    writeFileSync(
      register,
      `import { register } from "node:module"; register(${JSON.stringify(pathToFileURL(hooks))});`,
    );
    writeFileSync(loaded, "");
    const { code } = await program.start(args, { env: { LOADED: loaded }, nodeArgs: ["--import", register] }).done;
    expect(code).toBe(0);
    return readFileSync(loaded, "utf8");
  }

  const HEAVY = ["@duckdb", "@aws-sdk", "zod", "luxon", "yaml"].map((name) => `/node_modules/${name}/`);

  test.each([["--help"], ["--version"], ["rebuild", "--help"]])(
    "%s %s brings nothing heavy with it",
    async (...args) => {
      const loaded = await loadedBy(args.filter(Boolean));
      expect(loaded).toMatch("/node_modules/commander/");
      for (const heavy of HEAVY) expect(loaded).not.toMatch(heavy);
    },
  );

  test("definitions are read without the engine", async () => {
    const loaded = await loadedBy(["metrics", "list"]);
    expect(loaded).toMatch("/node_modules/zod/");
    expect(loaded).not.toMatch("/node_modules/@duckdb/");
  });
});

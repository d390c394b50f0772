import { describe, expect, test } from "vitest";
import type { RebuildUsecase } from "../../src/cli/io.ts";
import { StopSignal } from "../../src/cli/stop-signal.ts";
import { EXIT, inputError, PresenceError } from "../../src/errors.ts";
import { NEEDED, runFake } from "./fakes.ts";

function failing(error: unknown, published: readonly string[] = []): Pick<RebuildUsecase, "rebuild"> {
  return {
    async rebuild(_, effects) {
      for (const day of published) effects.progress({ kind: "published", day, seconds: 1 });
      throw error;
    },
  };
}

const fail = (error: unknown, flags: readonly string[] = []) =>
  runFake(["rebuild", ...NEEDED, ...flags], { rebuild: failing(error) });

describe("errors of a rebuild", () => {
  test("those for users: message, hint and their exit code", async () => {
    const error = inputError("lake/x.parquet is truncated", "copy it again");
    expect(await fail(error)).toEqual({
      code: 3,
      stdout: "",
      stderr: "error: lake/x.parquet is truncated\ncopy it again\n",
    });
    expect(await fail(new PresenceError(EXIT.check, "C3\nfailed"))).toMatchObject({
      code: 6,
      stderr: "error: C3 failed\n",
    });
  });

  test("any other is called unexpected, without its stack", async () => {
    const { code, stderr } = await fail(new TypeError("x is not a function"));
    expect(code).toBe(1);
    expect(stderr).toBe(
      "error: unexpected: x is not a function\nthis is a bug or a system failure; run again with --debug for the stack\n",
    );
    expect((await fail("just text")).stderr).toMatch("error: unexpected: just text\n");
  });

  test.each([
    ["ENOSPC", "the disk is full: /mart/x"],
    ["EACCES", "permission denied: /mart/x"],
    ["EROFS", "the file system is read-only: /mart/x"],
    ["EMFILE", "too many open files: /mart/x"],
  ])("%s in plain words, also where it is the cause of another", async (code, words) => {
    const cause = Object.assign(new Error(`${code}: whatever`), { code, path: "/mart/x" });
    for (const error of [cause, new Error("could not publish", { cause })]) {
      const failed = await fail(error);
      expect(failed).toMatchObject({ code: 1 });
      expect(failed.stderr).toMatch(`error: ${words}\n`);
      expect(failed.stderr.split("\n")).toHaveLength(3);
    }
  });

  test("the engine's words for a full disk and for too little memory are known", async () => {
    expect((await fail(new Error("IO Error: No space left on device"))).stderr).toMatch(
      "error: the disk is full: IO Error",
    );
    const advice =
      "Out of Memory Error: x\n\nPossible solutions:\n* Increasing the memory limit (SET memory_limit='...GB')";
    expect((await fail(new Error(advice))).stderr).toBe(
      "error: not enough memory: Out of Memory Error: x\nraise --memory-limit, lower --threads, or free some memory\n",
    );
  });

  test.each([
    [["--debug"], {}],
    [[], { PRESENCE_BATCH_DEBUG: "1" }],
  ])("stacks with %s %s", async (flags, env) => {
    const error = new Error("outer", { cause: new Error("inner") });
    const { stderr } = await runFake(["rebuild", ...NEEDED, ...flags], { rebuild: failing(error), io: { env } });
    expect(stderr).toMatch(/Error: outer\n\s+at .*failure\.test/);
    expect(stderr).toMatch(/caused by Error: inner\n\s+at /);
  });

  test("days that were published before are named", async () => {
    const rebuild = failing(inputError("no hour 7"), ["2026-07-28", "2026-07-29"]);
    const { stderr } = await runFake(["rebuild", ...NEEDED], { rebuild });
    expect(stderr).toMatch("published before the error: 2026-07-28, 2026-07-29\nerror: no hour 7\n");
  });

  test("errors are red on a terminal", async () => {
    const io = { isTTY: { stdout: false, stderr: true } };
    const { stderr } = await runFake(["rebuild", ...NEEDED], { rebuild: failing(inputError("x")), io });
    expect(stderr).toBe("\x1b[31merror:\x1b[39m x\n");
  });
});

describe("a stopped rebuild", () => {
  const stopped = (name: "SIGINT" | "SIGTERM", published: readonly string[]) => {
    const controller = new AbortController();
    const rebuild: RebuildUsecase["rebuild"] = async (_, effects) => {
      for (const day of published) effects.progress({ kind: "published", day, seconds: 1 });
      controller.abort(new StopSignal(name));
      throw new Error("the engine was interrupted");
    };
    return runFake(["rebuild", ...NEEDED], { rebuild: { rebuild }, signal: controller.signal });
  };

  test("says that nothing was published", async () => {
    expect(await stopped("SIGINT", [])).toEqual({
      code: 130,
      stdout: "",
      stderr: "stopped by SIGINT: nothing was published\n",
    });
  });

  test("says which days were", async () => {
    const { code, stderr } = await stopped("SIGTERM", ["2026-07-27", "2026-07-28", "2026-07-29", "2026-07-30"]);
    expect(code).toBe(143);
    expect(stderr).toMatch(
      /stopped by SIGTERM: 4 days from 2026-07-27 to 2026-07-30 published before, nothing else\n$/,
    );
  });

  test("is not begun at all where the signal came first", async () => {
    const signal = AbortSignal.abort(new StopSignal("SIGINT"));
    const { code, stderr } = await runFake(["rebuild", ...NEEDED], { signal });
    expect({ code, stderr }).toEqual({ code: 130, stderr: "stopped by SIGINT: nothing was published\n" });
  });
});

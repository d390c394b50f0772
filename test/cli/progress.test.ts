import { describe, expect, test } from "vitest";
import type { RebuildUsecase } from "../../src/cli/io.ts";
import { NEEDED, RESULT, runFake } from "./fakes.ts";

const rebuild: RebuildUsecase["rebuild"] = async (_, effects) => {
  effects.progress({ kind: "plan", days: 2, definitions: ["connected@1", "active@1"], files: 1_234 });
  effects.progress({ kind: "day", day: "2026-07-29", files: 1, bytes: 5_000_000 });
  effects.progress({ kind: "stage", day: "2026-07-29", stage: "points", index: 12, of: 40 });
  effects.warn("2026-07-29: a file\nnamed \x1b[31mred");
  effects.progress({ kind: "published", day: "2026-07-29", seconds: 3 });
  return RESULT;
};

describe("progress on stderr", () => {
  test("in cron: one plain line per step", async () => {
    const { stderr } = await runFake(["rebuild", ...NEEDED], { rebuild: { rebuild } });
    expect(stderr).toBe(
      [
        "2 days of connected@1, active@1: 1,234 files to read",
        "2026-07-29 reads 1 file, 5.0 MB",
        "2026-07-29 stage 12/40: points",
        "warning: 2026-07-29: a file named \\u001b[31mred",
        "2026-07-29 published after 3.0 s",
        "",
      ].join("\n"),
    );
  });

  test("on a terminal: one live line, cleared before anything else is written", async () => {
    const io = { isTTY: { stdout: true, stderr: true }, columns: 20 };
    const { stderr, stdout } = await runFake(["rebuild", ...NEEDED], { rebuild: { rebuild }, io });
    const [, ...writes] = stderr.split("\r");
    expect(writes).toEqual([
      "2 days of connected\x1b[K",
      "2026-07-29 reads 1 \x1b[K",
      "2026-07-29 stage 12\x1b[K",
      "\x1b[K\x1b[33mwarning:\x1b[39m 2026-07-29: a file named \\u001b[31mred\n",
      "2026-07-29 publishe\x1b[K",
      "\x1b[K",
    ]);
    expect(stdout.startsWith("\x1b[1mday ")).toBe(true);
  });

  test("NO_COLOR and a dumb terminal are obeyed", async () => {
    const isTTY = { stdout: true, stderr: true };
    const noColor = await runFake(["rebuild", ...NEEDED], {
      rebuild: { rebuild },
      io: { isTTY, env: { NO_COLOR: "1" } },
    });
    expect(noColor.stdout + noColor.stderr).not.toMatch(/\[\d+m(day|warning)/);
    const dumb = await runFake(["rebuild", ...NEEDED], { rebuild: { rebuild }, io: { isTTY, env: { TERM: "dumb" } } });
    expect(dumb.stdout + dumb.stderr).not.toContain("\x1b");
    expect(dumb.stderr).not.toContain("\r");
  });
});

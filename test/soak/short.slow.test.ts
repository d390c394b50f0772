import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuiltProgram, buildProgram } from "../cli/built-program.ts";
import { concurrentRounds } from "./concurrent-rounds.ts";
import { killRounds } from "./kill-rounds.ts";
import { isOldOrNew, readerRounds } from "./reader-rounds.ts";

// `npm run soak` does each of these at length.
let program: BuiltProgram;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program.remove());

const LONG = 180_000;

test(
  "fault 50: kill -9 at any moment leaves the old day or the new one, and the next run cleans up",
  async () => {
    const figures = await killRounds(program.folder, 3, 7);
    expect(figures).toMatchObject({ torn: [], failures: [] });
  },
  LONG,
);

test(
  "processes at once lose no commit",
  async () => {
    const figures = await concurrentRounds(program.folder, 2, 7);
    expect(figures.failures).toEqual([]);
  },
  LONG,
);

test(
  "a reader sees no user twice and no date missing while days are rebuilt",
  async () => {
    const figures = await readerRounds(4);
    expect(figures).toMatchObject({ twice: 0, missing: 0, errors: [] });
    expect(figures.reads).toBeGreaterThan(0);
    expect(isOldOrNew(figures)).toBe(true);
  },
  LONG,
);

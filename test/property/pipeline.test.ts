import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { scenarioFromSeed, scenariosAlike } from "../fuzz/arbitrary.ts";
import { compareStages } from "../fuzz/compare.ts";
import { compareRebuild } from "../fuzz/compare-rebuild.ts";
import { merge } from "../fuzz/merge.ts";
import { loadScenario } from "../fuzz/render.ts";

const REGRESSIONS = fileURLToPath(new URL("../fuzz/regressions/", import.meta.url));
const kept = existsSync(REGRESSIONS) ? readdirSync(REGRESSIONS).filter((name) => name.endsWith(".json")) : [];

// Other lakes each day: together the runs of a team walk through far more of them than any single one.
const FIRST_SEED = Math.floor(Date.now() / 86_400_000) * 1000;
/** Lakes of one day and definitions, each with people of its own, are counted in one run. */
const ALIKE = 10;
const groups = (count: number, offset: number) => Array.from({ length: count }, (_, i) => FIRST_SEED + offset + i);
/** Seconds on a machine of one's own. */
const TIMEOUT = 300_000;

describe("the whole pipeline counts what the reference counter counts", () => {
  test.each(groups(2, 0))(
    "three lakes as files, seed %i",
    async (seed) => {
      expect(await compareRebuild(merge(scenariosAlike(seed, 3)))).toEqual([]);
    },
    TIMEOUT,
  );

  test.each(groups(10, 500))(
    `${ALIKE} lakes in memory, seed %i`,
    async (seed) => {
      expect(await compareStages(merge(scenariosAlike(seed, ALIKE)))).toEqual([]);
    },
    TIMEOUT,
  );

  // What people of the same lake could hide from each other.
  test.each(groups(3, 900))(
    "one lake alone, seed %i",
    async (seed) => {
      expect(await compareRebuild(scenarioFromSeed(seed))).toEqual([]);
    },
    TIMEOUT,
  );

  test.each(kept)("kept lake %s", async (name) => {
    const scenario = loadScenario(`${REGRESSIONS}${name}`);
    expect(await compareStages(scenario)).toEqual([]);
    expect(await compareRebuild(scenario)).toEqual([]);
  });
});

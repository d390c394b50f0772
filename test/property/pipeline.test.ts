import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { scenarioFromSeed } from "../fuzz/arbitrary.ts";
import { compareStages } from "../fuzz/compare.ts";
import { compareRebuild } from "../fuzz/compare-rebuild.ts";
import { loadScenario } from "../fuzz/render.ts";

const REGRESSIONS = fileURLToPath(new URL("../fuzz/regressions/", import.meta.url));
const kept = existsSync(REGRESSIONS) ? readdirSync(REGRESSIONS).filter((name) => name.endsWith(".json")) : [];

// Another hundred each day: together the runs of a team walk through far more lakes than any single one.
const FIRST_SEED = Math.floor(Date.now() / 86_400_000) * 1000;
const CHUNK = 10;
/** Seconds on a machine of one's own. */
const TIMEOUT = 300_000;

describe("the whole pipeline counts what the reference counter counts", () => {
  test.each(Array.from({ length: 10 }, (_, chunk) => FIRST_SEED + chunk * CHUNK))(
    "lakes from seed %i",
    async (first) => {
      for (let seed = first; seed < first + CHUNK; seed++) {
        expect(await compareRebuild(scenarioFromSeed(seed)), `seed ${seed}`).toEqual([]);
      }
    },
    TIMEOUT,
  );

  test.each(kept)("kept lake %s", async (name) => {
    const scenario = loadScenario(`${REGRESSIONS}${name}`);
    expect(await compareStages(scenario)).toEqual([]);
    expect(await compareRebuild(scenario)).toEqual([]);
  });
});

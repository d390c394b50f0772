/**
 * `npm run fuzz -- --runs N --seed S [--stages]`: hostile lakes through the whole program, each compared with the
 * reference counter. A failing lake is shrunk, printed and kept in test/fuzz/regressions/, where `npm test` replays it.
 * `--stages` leaves the files out and runs the SQL over rows in memory, which is faster; `--alike N` takes N lakes of the same
 * day and definitions into one run, each with people of its own, which is faster still.
 */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { scenarioArbitrary, scenariosAlike } from "./arbitrary.ts";
import { compareStages, type Difference } from "./compare.ts";
import { compareRebuild } from "./compare-rebuild.ts";
import { merge } from "./merge.ts";
import { render, saveScenario } from "./render.ts";
import type { Scenario } from "./scenario.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "100" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_007) },
    stages: { type: "boolean", default: false },
    alike: { type: "string", default: "1" },
  },
});
const runs = Number(values.runs);
const seed = Number(values.seed);
const compare: (scenario: Scenario) => Promise<Difference[]> = values.stages ? compareStages : compareRebuild;

let done = 0;
const started = Date.now();

function count(lakes: number): void {
  const before = done;
  done += lakes;
  if (Math.floor(done / 100) > Math.floor(before / 100)) {
    console.log(`${done} lakes, ${((Date.now() - started) / 1000).toFixed(0)} s`);
  }
}

/** Lakes in groups of `alike`; the first group that differs is left to the search below, lake by lake. */
async function checkAlike(alike: number): Promise<boolean> {
  for (let group = 0; done < runs; group++) {
    const scenarios = scenariosAlike(seed + group, alike);
    const differences = await compare(merge(scenarios));
    if (differences.length > 0) {
      for (const [index, scenario] of scenarios.entries()) await keep(scenario, `seed-${seed + group}-${index}`);
      console.log(JSON.stringify(differences[0]));
      return false;
    }
    count(scenarios.length);
  }
  return true;
}

async function keep(scenario: Scenario, name: string): Promise<void> {
  const differences = await compare(scenario);
  if (differences.length === 0) return;
  const folder = fileURLToPath(new URL("regressions/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  saveScenario(scenario, `${folder}${name}.json`);
  console.log(`${render(scenario)}\n${differences[0]!.where}\nKept as ${folder}${name}.json`);
}

const alike = Number(values.alike);
if (alike > 1) {
  const agrees = await checkAlike(alike);
  if (agrees) console.log(`${done} lakes, seed ${seed}: the program and the reference counter agree on every row`);
  process.exit(agrees ? 0 : 1);
}

const result = await fc.check(
  fc.asyncProperty(scenarioArbitrary, async (scenario) => {
    const differences = await compare(scenario);
    count(1);
    return differences.length === 0;
  }),
  { numRuns: runs, seed, endOnFailure: false },
);

const scenario = result.counterexample?.[0];
if (scenario === undefined) {
  console.log(`${runs} lakes, seed ${seed}: the program and the reference counter agree on every row`);
} else {
  const folder = fileURLToPath(new URL("regressions/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const path = `${folder}seed-${seed}.json`;
  saveScenario(scenario, path);
  console.log(render(scenario));
  if (result.errorInstance) console.log(result.errorInstance);
  for (const { where, expected, actual } of await compare(scenario).catch(() => [])) {
    console.log(`${where}\n  expected ${JSON.stringify(expected)}\n  actual   ${JSON.stringify(actual)}`);
  }
  console.log(`Kept as ${path} (seed ${seed}, after ${result.numRuns} lakes and ${result.numShrinks} shrinks)`);
  process.exitCode = 1;
}

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { stringify } from "yaml";
import { type FileAccess, LOCAL_FILES } from "../../src/lake/file-access.ts";
import { MART_TABLES } from "../../src/pipeline/tables.ts";
import type { RebuildOptions } from "../../src/plan/rebuild-options.ts";
import { countDay } from "../../src/usecases/count-day.ts";
import { planDays, planDefinitions } from "../../src/usecases/day-plan.ts";
import { count } from "../oracle/index.ts";
import { readPublished } from "../support/read-mart.ts";
import { optionsOf } from "../support/rebuild-options.ts";
import { type Difference, readable } from "./compare.ts";
import { eventsOf, type Scenario, scenarioToOracleInput } from "./scenario.ts";
import { writeLake } from "./write-lake.ts";

/**
 * Writes the scenario as Parquet, counts its day from listing to output files, and compares every table with the
 * reference. Only publishing is left out: it moves files as they are.
 */
export async function compareRebuild(original: Scenario): Promise<Difference[]> {
  const { scenario, definitions } = readable(original);
  if (definitions.length === 0) return [];
  const folder = await mkdtemp(join(tmpdir(), "presence-fuzz-"));
  try {
    const options = await optionsFor(scenario, folder);
    await writeLake(scenario, options.lake);
    // After all days that there are, so that each of them is over.
    const plan = await planDays(options, { nowMs: Date.UTC(2101, 0, 1) });
    const [day] = plan.days;
    const effects = { signal: new AbortController().signal, stage() {} };
    // Half of the lakes come file by file, as one in a bucket may: what is read apart must count together.
    const access = eventsOf(scenario.lake).length % 2 === 0 ? LOCAL_FILES : FILE_BY_FILE;
    if (day !== undefined) await countDay({ day, access }, planDefinitions(options), options, options.out, effects);
    return await differences(scenario, options.out);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const FILE_BY_FILE: FileAccess = {
  ...LOCAL_FILES,
  async read(files, work) {
    if (files.length === 0) await work([]);
    for (const file of files) await work([file]);
  },
};

/** Options of a run over the scenario's lake, which is to lie below `folder`. */
export async function optionsFor(scenario: Scenario, folder: string): Promise<RebuildOptions> {
  const [lake, out, metrics] = ["lake", "mart", "metrics"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(lake);
  await mkdir(out);
  await mkdir(metrics);
  const files = await Promise.all(
    scenario.definitions.map(async (raw) => {
      const path = join(metrics, `${raw.name}-${raw.version}.yaml`);
      await writeFile(path, stringify(raw));
      return path;
    }),
  );
  return optionsOf({
    date: scenario.day,
    metrics: files,
    zone: scenario.zone,
    lake,
    out,
    settings: scenario.settings,
    missingHours: 26,
    tempDir: folder,
  });
}

/** Where a mart below `out` differs from what the reference counts. */
export async function differences(scenario: Scenario, out: string): Promise<Difference[]> {
  const expected = count(scenarioToOracleInput(scenario));
  const found: Difference[] = [];
  const compare = (where: string, wanted: unknown, actual: unknown) => {
    if (!isDeepStrictEqual(wanted, actual)) found.push({ where, expected: wanted, actual });
  };
  const events = expected.quarantined_events.map((row) => ({ ...row }));
  compare("quarantined_events", events, await readPublished(out, `quarantined_events/date=${scenario.day}`));
  for (const result of expected.definitions) {
    const { name, version } = result.definition;
    for (const table of MART_TABLES.filter(({ per }) => per === "definition")) {
      const wanted = (result as unknown as Record<string, object[]>)[table.name]?.map((row) => ({ ...row }));
      const folder = `${table.name}/metric=${name}/version=${version}/date=${scenario.day}`;
      compare(`${name}@${version} ${table.name}`, wanted, await readPublished(out, folder));
    }
  }
  return found;
}

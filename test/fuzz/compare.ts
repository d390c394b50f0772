import { isDeepStrictEqual } from "node:util";
import { stringify } from "yaml";
import type { Definition } from "../../src/definitions/definition.ts";
import { parseDefinition } from "../../src/definitions/parse-definition.ts";
import type { DuckDbSession } from "../../src/engine/duckdb/session.ts";
import { PresenceError } from "../../src/errors.ts";
import { runChecks } from "../../src/pipeline/checks.ts";
import { readEventCounts, readMetricCounts } from "../../src/pipeline/read-counts.ts";
import { MART_TABLES } from "../../src/pipeline/tables.ts";
import { count, type OracleResult } from "../oracle/index.ts";
import { relationRows } from "../support/pipeline-rows.ts";
import { withStages } from "../support/run-memory.ts";
import { withGuardedWindows } from "../support/window-ties.ts";
import { LONG_WAYS } from "./long-ways.ts";
import { eventsOf, type Scenario, scenarioToOracleInput } from "./scenario.ts";

/** One place where the program and the reference counter disagree. */
export interface Difference {
  readonly where: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** The scenario's definitions as the program reads them; those that it refuses to read are left out on both sides. */
export function readable(scenario: Scenario): { scenario: Scenario; definitions: Definition[] } {
  const parsed = scenario.definitions.flatMap((raw) => {
    try {
      return [{ raw, definition: parseDefinition(stringify(raw), "generated.yaml", { settings: scenario.settings }) }];
    } catch (error) {
      if (error instanceof PresenceError) return [];
      throw error;
    }
  });
  return {
    scenario: { ...scenario, definitions: parsed.map(({ raw }) => raw) },
    definitions: parsed.map(({ definition }) => definition),
  };
}

/** Those definitions alone whose turning points are landmarks, where there are any: one other would hide that way from all. */
function ofLandmarks({ scenario, definitions }: ReturnType<typeof readable>): ReturnType<typeof readable> {
  const found = definitions.map(
    ({ states, devices, lateUpload }) => states.size === 0 && devices === "all" && lateUpload === "ignore",
  );
  if (!found.includes(true)) return { scenario, definitions };
  return {
    scenario: { ...scenario, definitions: scenario.definitions.filter((_, index) => found[index]) },
    definitions: definitions.filter((_, index) => found[index]),
  };
}

/**
 * Runs the stages over the scenario's rows, without files, and compares every table and count with the reference.
 * `isLong`: which relations send everything the long way; some lakes choose some by themselves.
 */
export async function compareStages(original: Scenario, isLong?: (relation: string) => boolean): Promise<Difference[]> {
  const events = eventsOf(original.lake);
  const takesLongWay = isLong ?? chosen(events.length);
  const all = readable(original);
  const { scenario, definitions } = events.length % 2 === 0 ? ofLandmarks(all) : all;
  if (definitions.length === 0) return [];
  const input = scenarioToOracleInput(scenario);
  return withStages(
    {
      events,
      settings: scenario.settings,
      definitions,
      window: input.window,
      hoursWithData: input.hoursWithData,
      // The way that a collision of hashes takes must come to the same.
      byText: events.length % 4 === 0,
      // And so must all sessions of the read window.
      sessions: events.length % 5 === 0 ? "all" : "reaching",
      // Nor may it matter how tables are kept.
      compressed: events.length % 5 === 1,
      rewrite: (select, relation) => {
        const guarded = events.length % 3 === 0 ? withGuardedWindows(select) : select;
        const long = LONG_WAYS[relation];
        return long && takesLongWay(relation) ? long(guarded) : guarded;
      },
    },
    (session) => differences(session, count(input)),
  );
}

/** One lake in seven leaves out shortcuts, another choice of them for each number of events. */
function chosen(events: number): (relation: string) => boolean {
  const bits = events % 7 === 0 ? events / 7 : 0;
  return (relation) => Math.floor(bits / 2 ** Object.keys(LONG_WAYS).indexOf(relation)) % 2 === 1;
}

async function differences(session: DuckDbSession, expected: OracleResult): Promise<Difference[]> {
  const found: Difference[] = [];
  const compare = (where: string, wanted: unknown, actual: unknown) => {
    if (!isDeepStrictEqual(wanted, actual)) found.push({ where, expected: wanted, actual });
  };
  const broken = (await runChecks(session)).filter(({ violations }) => violations > 0);
  compare("checks", [], broken);
  compare("quarantined_events", expected.quarantined_events, await relationRows(session, "quarantined_events"));
  const counts = await readEventCounts(session);
  const { unreadOptional, ...others } = counts;
  compare(
    "counts",
    sorted(expected.counts),
    sorted({ ...others, unreadOptionalValues: Object.values(unreadOptional).reduce((sum, n) => sum + n, 0) }),
  );
  const unknown = (await readMetricCounts(session)).map(({ sessionsOfUnknownState }) => sessionsOfUnknownState);
  for (const [metricNo, result] of expected.definitions.entries()) {
    const name = `${result.definition.name}@${result.definition.version}`;
    compare(`${name} sessions of unknown state`, result.sessionsOfUnknownState, unknown[metricNo]);
    for (const table of MART_TABLES.filter(({ per }) => per === "definition")) {
      const wanted = (result as unknown as Record<string, object[]>)[table.name];
      compare(
        `${name} ${table.name}`,
        wanted?.map((row) => ({ ...row })),
        await relationRows(session, table.name, metricNo),
      );
    }
  }
  return found;
}

/** Objects compare whatever the order of their keys; this makes their print comparable, too. */
function sorted(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

/** Two counters under one interface: the program's stages over rows in memory, and the reference counter. */
import { findBuiltin } from "../../src/definitions/builtin.ts";
import { readEventCounts } from "../../src/pipeline/read-counts.ts";
import { MART_TABLES } from "../../src/pipeline/tables.ts";
import { DEFAULT_SETTINGS } from "../../src/plan/settings.ts";
import { BUILTIN, countDay as countByReference, DAY, DAY_START, type DayOptions, HOUR } from "../oracle/build.ts";
import type { DefinitionResult, Lake, OracleResult } from "../oracle/types.ts";
import { relationRows } from "../support/pipeline-rows.ts";
import { withStages } from "../support/run-memory.ts";

type Tables = Omit<DefinitionResult, "definition" | "evidence" | "sessionsOfUnknownState">;

/** What became of the day's events, and the tables of the one definition that was asked for. */
export interface CountedDay extends Pick<OracleResult, "counts" | "quarantined_events"> {
  readonly only: Tables;
}

export interface Counter {
  readonly name: string;
  /** Counts one day (2024-01-15 UTC unless said) under one definition (connected@1 unless said), with all hours there. */
  countDay(lake: Lake, options?: DayOptions): Promise<CountedDay>;
  /** The online time of each user of a day. */
  onlineOf(lake: Lake, options?: DayOptions): Promise<Record<string, number>>;
  /** The online time of the user u1, 0 where there is no row. */
  onlineMs(lake: Lake, options?: DayOptions): Promise<number>;
}

function counter(name: string, countDay: Counter["countDay"]): Counter {
  const onlineOf: Counter["onlineOf"] = async (lake, options) => {
    const { only } = await countDay(lake, options);
    return Object.fromEntries(only.user_daily.map((row) => [row.user_id, row.online_ms]));
  };
  return { name, countDay, onlineOf, onlineMs: async (lake, options) => (await onlineOf(lake, options)).u1 ?? 0 };
}

async function countByProgram(lake: Lake, options: DayOptions = {}): Promise<CountedDay> {
  const { startMs = DAY_START, definition = BUILTIN.connected } = options;
  const isBuiltin = Object.values(BUILTIN).includes(definition as (typeof BUILTIN)["connected"]);
  const input = {
    events: lake.events,
    settings: { ...DEFAULT_SETTINGS, ...options.settings },
    definitions: [isBuiltin ? findBuiltin(definition.name, definition.version)! : definition],
    window: { zone: "UTC", day: DAY, startMs, endMs: options.endMs ?? startMs + 24 * HOUR },
  };
  return withStages(input, async (session) => {
    const tables = new Map<string, object[]>();
    for (const { name } of MART_TABLES.filter((table) => table.per === "definition")) {
      tables.set(name, await relationRows(session, name, 0));
    }
    const { unreadOptional, ...counts } = await readEventCounts(session);
    const unreadOptionalValues = Object.values(unreadOptional).reduce((sum, values) => sum + values, 0);
    return {
      counts: { ...counts, unreadOptionalValues },
      quarantined_events: (await relationRows(session, "quarantined_events")) as OracleResult["quarantined_events"],
      only: Object.fromEntries(tables) as unknown as Tables,
    };
  });
}

export const COUNTERS: readonly Counter[] = [
  counter("program", countByProgram),
  counter("reference", async (lake, options) => countByReference(lake, options)),
];

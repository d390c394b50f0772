import type { Definition } from "../definitions/definition.ts";
import type { InputTable, LakeFiles, Value } from "../engine/engine.ts";
import { type OtherRelations, POINTS_OF_SIGNALS } from "../pipeline/every-event.ts";
import { loadSql } from "../pipeline/sql-files.ts";
import type { DayWindow } from "../plan/day-window.ts";
import type { LakeSettings } from "../plan/settings.ts";
import type { ReasonId } from "./reasons.ts";

/** What a count is made of. */
export interface CountBasis {
  readonly settings: LakeSettings;
  readonly window: DayWindow;
  readonly definition: Definition;
  readonly lake: LakeFiles;
}

/** A count with one correction left out: the whole way of a rebuild, but for what is named here. */
export interface Variation {
  readonly reason: ReasonId;
  readonly basis?: Partial<CountBasis>;
  /** Changes what the SQL is told of settings and definitions. */
  readonly tables?: (tables: readonly InputTable[]) => InputTable[];
  /** Relations that are made otherwise, by their own SELECT. */
  readonly relations?: OtherRelations;
}

const FOREVER_MS = 31 * 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/** The corrections that can be left out of this count. `utc` null: the day is the same in UTC, or its zone was declared. */
export function variations({ definition, settings, lake }: CountBasis, utc: DayWindow | null): Variation[] {
  const { online } = definition;
  const connected = { op: "state", name: "connected" } as const;
  return [
    { reason: "arrival-order", basis: { settings: { ...settings, sequence: "arrival" } } },
    {
      reason: "stale-epochs-counted",
      relations: {
        fences: (own) => `select * from (${own}) where false`,
        online_pieces: () => loadSql("95_drift/online_pieces"),
      },
    },
    // By the relations, since R13 measures delays by the definition's gap.max, too.
    { reason: "gaps-uncapped", tables: withoutGaps },
    { reason: "client-time-trusted", basis: { lake: byClientTime(lake) } },
    ...(utc === null ? [] : [{ reason: "utc-day", basis: { window: utc } } as const]),
    {
      reason: "late-events-missing",
      relations: {
        ...POINTS_OF_SIGNALS,
        accepted_events: (own) => `select * from (${own}) where tau_ms = server_ms`,
      },
    },
    ...(online === "connected"
      ? []
      : [
          {
            reason: "states-ignored",
            basis: { definition: { ...definition, online: "connected", expression: connected } },
          } as const,
        ]),
  ];
}

function withoutGaps(tables: readonly InputTable[]): InputTable[] {
  const longest: Readonly<Record<string, readonly string[]>> = {
    definitions: ["gap_max_ms", "gap_credit_ms"],
    settings: ["lookahead_ms"],
  };
  return tables.map((table) => {
    const changed = table.columns.map(([name]) => longest[table.name]?.includes(name) === true);
    const row = (values: readonly Value[]) => values.map((value, i) => (changed[i] ? FOREVER_MS : value));
    return { ...table, rows: table.rows.map(row) };
  });
}

/** Rows as if the server had received them when the client says that it sent them, and their partition with them. */
function byClientTime(lake: LakeFiles): LakeFiles {
  const moved = (rawEvents: string) => `select * replace (
      coalesce(client_ms, server_ms) as server_ms,
      case when client_ms is null then hour_ms else client_ms - client_ms % ${HOUR_MS} end as hour_ms
    ) from (${rawEvents})`;
  return {
    ...lake,
    read: (work, fileNos) =>
      lake.read((reading) => {
        const { rawEvents, rawEventsIn } = reading;
        return work({
          ...reading,
          rawEvents: moved(rawEvents),
          rawEventsIn: (relation) => moved(rawEventsIn(relation)),
        });
      }, fileNos),
  };
}

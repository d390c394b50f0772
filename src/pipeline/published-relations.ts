import type { Definition } from "../definitions/definition.ts";
import { createInputTable } from "../engine/duckdb/input-table.ts";
import { sqlPath } from "../engine/duckdb/reading/sql-text.ts";
import type { DuckDbSession } from "../engine/duckdb/session.ts";
import type { DayWindow } from "../plan/day-window.ts";
import type { LakeSettings } from "../plan/settings.ts";
import { inputTables } from "./inputs.ts";
import type { EventCounts } from "./read-counts.ts";
import { MART_TABLES, type MartTable } from "./tables.ts";
import { type MartFile, martFiles } from "./write-mart.ts";

/** A day's published files, of which all were built from the same inputs. */
export interface PublishedDay {
  readonly window: DayWindow;
  readonly settings: LakeSettings;
  readonly definitions: readonly Definition[];
  /** What the run of the events' part counted; null where its files are not among these. */
  readonly events: Pick<EventCounts, "owned" | "accepted"> | null;
  /** Local path of a file of the mart. */
  localFile(path: string): string;
}

/** The relations that the checks read, made of published files instead of a run's tables. */
export async function createPublishedRelations(session: DuckDbSession, day: PublishedDay): Promise<void> {
  const inputs = inputTables(day.settings, day.window, day.definitions);
  for (const table of inputs) await createInputTable(session, table);
  const files = martFiles(day.window.day, day.definitions).filter(
    ({ metricNo }) => metricNo !== null || day.events !== null,
  );
  for (const table of MART_TABLES) {
    const own = files.filter((file) => file.table === table);
    const rows = own.map((file) => rowsOf(file, day.localFile(file.path)));
    await session.run(`create view ${table.name} as ${rows.length > 0 ? rows.join(" union all ") : noRows(table)}`);
  }
  await session.run(`create view owned_verdicts as
    select dense_rank() over (order by source_file, source_row) as event_no from quarantined_events`);
  const { owned, accepted } = day.events ?? { owned: 0, accepted: 0 };
  await session.run(`create view event_counts as
    select cast(${owned} as bigint) as owned, cast(${accepted} as bigint) as accepted,
      (select count(*) from quarantined_events) as quarantined`);
}

function rowsOf({ table, metricNo }: MartFile, path: string): string {
  const columns = table.columns.map(([name, source, kind]) =>
    kind === "time" ? `epoch_ms(${name}) as ${source}` : name === source ? name : `${name} as ${source}`,
  );
  return `select cast(${metricNo ?? "null"} as integer) as metric_no, ${columns.join(", ")}
    from read_parquet(${sqlPath(path)}, hive_partitioning = false)`;
}

/** All that the checks compare in such a table is its number of rows, and their keys. */
function noRows(table: MartTable): string {
  const columns = table.columns.map(([, source, kind]) => {
    const type = kind === "time" || /_row$|_ms$/.test(source) ? "bigint" : "varchar";
    return `cast(null as ${type}) as ${source}`;
  });
  return `select cast(null as integer) as metric_no, ${columns.join(", ")} where false`;
}

import type { ColumnSql } from "../duckdb/reading/column-sql.ts";
import { EVENT_COLUMNS, type EventColumn, type EventColumnName } from "../duckdb/reading/event-columns.ts";
import type { EventReading } from "../duckdb/reading/event-reading.ts";
import { RAW_EVENT_COLUMNS } from "../duckdb/reading/raw-events.ts";
import type { ReadableFile } from "../duckdb/reading/scan-groups.ts";
import type { TimeUnit } from "../duckdb/reading/whole-ms.ts";
import { absent, columnSql } from "./column-sql.ts";
import type { JobScan } from "./job.ts";
import { EVENT_NO, type PlannedScan, plannedScans, type ScanColumn } from "./scan-set.ts";
import { sparkType } from "./stored-type.ts";

/** A relation over the lake's files: the scans that it reads, and its SELECT. */
export interface LakeSelect {
  readonly scans: readonly JobScan[];
  readonly select: string;
}

/** The columns of `raw_events`, one row per row of a file, as the DuckDB engine reads them. */
export function rawEvents(files: readonly ReadableFile[], unit: TimeUnit): LakeSelect {
  const scans = plannedScans("events", files, (file) => file.reading, eventColumns);
  const nothing = select("cast(null as bigint)", "cast(null as bigint)", ({ role }) => absent(role));
  return {
    scans: scans.map(({ scan }) => scan),
    select:
      scans.length === 0 ? `${nothing} where false` : scans.map((scan) => scanSelect(scan, unit)).join("\nunion all\n"),
  };
}

/** What is read of a file's contract columns. */
export function eventColumns(reading: EventReading): ScanColumn[] {
  return EVENT_COLUMNS.flatMap(({ name }) => {
    const column = reading[name];
    if (column === undefined || column.kind === "null" || column.kind === "unreadable") return [];
    // Binary that is no more than that is text here.
    return [{ name: column.source, type: column.type === "BLOB" ? "string" : sparkType(column) }];
  });
}

function scanSelect({ plan, scan, column }: PlannedScan<EventReading>, unit: TimeUnit): string {
  const body = select(EVENT_NO, "hour_ms", ({ name, role }) => {
    const reading = plan[name];
    return reading && reading.kind !== "unreadable"
      ? columnSql(column(reading.source), reading.kind, role, unit)
      : absent(role);
  });
  return `${body} from ${scan.relation}`;
}

type NamedColumn = EventColumn & { readonly name: EventColumnName };

function select(eventNo: string, hourMs: string, read: (column: NamedColumn) => ColumnSql): string {
  const columns = new Map(EVENT_COLUMNS.map((column): [string, ColumnSql] => [column.name, read(column)]));
  const values = [eventNo, hourMs, ...[...columns.values()].map(({ value }) => value)];
  const unread = RAW_EVENT_COLUMNS.slice(values.length).map(
    (name) => columns.get(name.replace(/^unread_/, ""))!.unread,
  );
  return `select ${[...values, ...unread].map((sql, index) => `${sql} as ${RAW_EVENT_COLUMNS[index]}`).join(", ")}`;
}

import { absent, type ColumnSql, columnSql } from "./column-sql.ts";
import { EVENT_COLUMNS, type EventColumn, type EventColumnName } from "./event-columns.ts";
import type { EventReading } from "./event-reading.ts";
import { eventNo, perFile, type ReadableFile, type ScanGroup, scanGroups } from "./scan-groups.ts";
import type { TimeUnit } from "./whole-ms.ts";

/** What of the lake settings decides how values are read. */
export interface ReadingSettings {
  readonly timeUnit: TimeUnit;
}

/** SQL of a condition on the rows of a group of files. */
export type RowFilter = (group: ScanGroup<EventReading>) => string;

const OUTPUT_NAMES: Readonly<Record<string, string>> = {
  server_time: "server_ms",
  client_time: "client_ms",
  last_active_at: "last_active_ms",
};

const UNREAD_FLAGS: readonly EventColumnName[] = [
  "server_time",
  "sequence",
  "session_epoch",
  "client_time",
  "last_active_at",
  "foreground",
  "active",
];

const LEADING = ["event_no", "hour_ms"];

/** Names of the columns of `rawEventsSelect`, in order. */
export const RAW_EVENT_COLUMNS: readonly string[] = [
  ...LEADING,
  ...EVENT_COLUMNS.map(({ name }) => OUTPUT_NAMES[name] ?? name),
  ...UNREAD_FLAGS.map((name) => `unread_${name}`),
];

/**
 * One SELECT of all events of the files, as stored: one row per row of a file, nothing judged yet.
 * `event_no` is file number * 2^32 + row number in the file (from 0); times are ms of Unix time, floored; empty text is
 * null; `unread_…` tells a value that is there but cannot be read as its type (R4). Needs no more than what is selected
 * from it: columns that are not used are not read.
 * `rowFilter` gives a condition on a group's own columns, which the scan can use before it reads the others.
 */
export function rawEventsSelect(
  files: readonly ReadableFile[],
  settings: ReadingSettings,
  rowFilter: RowFilter | null = null,
): string {
  if (files.length === 0) {
    return `${select("CAST(NULL AS BIGINT)", "CAST(NULL AS BIGINT)", (column) => absent(column.role))}\nWHERE FALSE`;
  }
  return scanGroups(files, (file) => file.reading)
    .map((group) => groupSelect(group, settings, rowFilter))
    .join("\nUNION ALL\n");
}

function groupSelect(
  group: ScanGroup<EventReading>,
  { timeUnit }: ReadingSettings,
  rowFilter: RowFilter | null,
): string {
  const hourMs = perFile(group.files, (file) => file.hourMs);
  const body = select(eventNo(group.files), hourMs, ({ name, role }) => {
    const reading = group.plan[name];
    return reading && reading.kind !== "unreadable"
      ? columnSql(group.column(reading.source), reading.kind, role, timeUnit)
      : absent(role);
  });
  const where = rowFilter === null ? "" : `\nWHERE ${rowFilter(group)}`;
  return `${body}\nFROM ${group.from}${where}`;
}

type NamedColumn = EventColumn & { readonly name: EventColumnName };

function select(eventNumber: string, hourMs: string, read: (column: NamedColumn) => ColumnSql): string {
  const columns = EVENT_COLUMNS.map((column) => ({ name: column.name, ...read(column) }));
  const unread = new Map(columns.map((column) => [column.name, column.unread]));
  const expressions = [
    eventNumber,
    hourMs,
    ...columns.map((column) => column.value),
    ...UNREAD_FLAGS.map((name) => unread.get(name) ?? "FALSE"),
  ];
  return `SELECT\n${expressions.map((sql, index) => `  ${sql} AS ${RAW_EVENT_COLUMNS[index]}`).join(",\n")}`;
}

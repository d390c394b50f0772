import { wholeNumber } from "./column-sql.ts";
import { EVENT_COLUMNS, type EventColumnName } from "./event-columns.ts";
import type { ColumnReading, EventReading } from "./event-reading.ts";
import { type ReadableFile, type ScanGroup, scanGroups } from "./scan-groups.ts";
import { sqlText } from "./sql-text.ts";
import { isZonelessText } from "./typed-text.ts";
import { type TimeUnit, unitToMs } from "./whole-ms.ts";

/** First and last ms of the years that a time may lie in (R4): 2000 to 2100, the latter exclusive. */
export const YEAR_2000_MS = 946_684_800_000;
export const YEAR_2100_MS = 4_102_444_800_000;

export const TIME_UNITS: readonly TimeUnit[] = ["s", "ms", "us", "ns"];
export const TIME_COLUMNS = ["server_time", "client_time", "last_active_at"] as const;

/**
 * Reads what only the values tell, of the files that need it. One row per file that has rows: file_no; whole_numbers (of
 * server_time) and in_s, in_ms, in_us, in_ns (how many of them lie in 2000 to 2100 in that unit); zoneless_server_time,
 * zoneless_client_time, zoneless_last_active_at (some text has no zone); unreadable (the first column of an unreadable
 * type that holds a value). Null where no file needs it.
 */
export function valueCheckSelect(files: readonly ReadableFile[]): string | null {
  const groups = scanGroups(files.filter(needsValueCheck), (file) => toCheck(file.reading));
  return groups.length === 0 ? null : groups.map(groupSelect).join("\nUNION ALL\n");
}

/** Whether anything of a file can only be told by its values. */
export const needsValueCheck = ({ reading }: ReadableFile): boolean => Object.keys(toCheck(reading)).length > 0;

const NUMBERS: readonly string[] = ["text", "integer", "wide-integer", "double"];

/** The columns of a file that only their values can judge. */
export function toCheck(reading: EventReading): EventReading {
  const checked: { [Name in EventColumnName]?: ColumnReading } = {};
  for (const { name, role } of EVENT_COLUMNS) {
    const column = reading[name];
    const byNumber = name === "server_time" && column !== undefined && NUMBERS.includes(column.kind);
    if (column && (byNumber || (role === "time" && column.kind === "text") || column.kind === "unreadable")) {
      checked[name] = column;
    }
  }
  return checked;
}

function groupSelect({ plan, files, from, column }: ScanGroup<EventReading>): string {
  const inUnits = TIME_UNITS.map((unit) => {
    const ms = unitToMs("number", unit);
    return `count(*) FILTER (${ms} >= ${YEAR_2000_MS} AND ${ms} < ${YEAR_2100_MS}) AS in_${unit}`;
  });
  const zoneless = TIME_COLUMNS.map((name) => {
    const sql = plan[name]?.kind === "text" ? isZonelessText(column(plan[name].source)) : "FALSE";
    return `${sql} AS zoneless_${name}`;
  });
  return `SELECT
  [${files.map((file) => file.fileNo).join(", ")}][CAST(file AS BIGINT) + 1] AS file_no,
  count(number) AS whole_numbers,
  ${inUnits.join(",\n  ")},
  ${TIME_COLUMNS.map((name) => `bool_or(zoneless_${name}) AS zoneless_${name}`).join(",\n  ")},
  min(unreadable) AS unreadable
FROM (
  SELECT file_index AS file, ${serverNumber(plan, column)} AS number, ${zoneless.join(", ")},
    ${holdsValue(plan, column)} AS unreadable
  FROM ${from}
)
GROUP BY file`;
}

function serverNumber(plan: EventReading, column: (name: string) => string): string {
  const server = plan.server_time;
  return server && server.kind !== "unreadable"
    ? wholeNumber(column(server.source), server.kind)
    : "CAST(NULL AS BIGINT)";
}

/** Name of the first column that holds a value though its type cannot be read; NaN is no value. */
function holdsValue(plan: EventReading, column: (name: string) => string): string {
  const cases = Object.entries(plan)
    .filter(([, reading]) => reading.kind === "unreadable")
    .map(([name, { source, type }]) => {
      const isNumber = type === "DOUBLE" || type === "FLOAT" ? ` AND NOT isnan(${column(source)})` : "";
      return `WHEN ${column(source)} IS NOT NULL${isNumber} THEN ${sqlText(name)}`;
    });
  return cases.length === 0 ? "CAST(NULL AS VARCHAR)" : `CASE ${cases.join(" ")} END`;
}

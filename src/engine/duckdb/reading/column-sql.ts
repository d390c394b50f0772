import type { ColumnKind } from "./column-kind.ts";
import type { ColumnRole } from "./event-columns.ts";
import { isUnreadText, timeText, wholeNumberText } from "./typed-text.ts";
import { floorDivide, type TimeUnit, unitToMs } from "./whole-ms.ts";

/** SQL of a column's value in its role, and of whether a stored value is there but cannot be read (R4). */
export interface ColumnSql {
  readonly value: string;
  readonly unread: string;
}

export const SQL_TYPES: Readonly<Record<ColumnRole, string>> = {
  text: "VARCHAR",
  integer: "BIGINT",
  time: "BIGINT",
  boolean: "BOOLEAN",
};

/** The column is not there, or typed NULL. */
export function absent(role: ColumnRole): ColumnSql {
  return { value: `CAST(NULL AS ${SQL_TYPES[role]})`, unread: "FALSE" };
}

/** Reads `source`, an expression of the kind's type, in a role. Times are ms of Unix time, floored. */
export function columnSql(source: string, kind: ColumnKind, role: ColumnRole, unit: TimeUnit): ColumnSql {
  if (kind === "null") {
    return absent(role);
  }
  switch (role) {
    case "text":
      return { value: textValue(source, kind), unread: "FALSE" };
    case "integer":
      return integerSql(source, kind);
    case "time":
      return timeSql(source, kind, unit);
    case "boolean":
      return booleanSql(source, kind);
  }
}

/** Whole number as BIGINT of a text, integer, decimal or double column; null where it is none. */
export function wholeNumber(source: string, kind: ColumnKind): string {
  switch (kind) {
    case "integer":
      return `CAST(${source} AS BIGINT)`;
    case "wide-integer":
      // A cast rounds decimals, so only whole ones may reach it.
      return `CASE WHEN ${source} % 1 = 0 THEN TRY_CAST(${source} AS BIGINT) END`;
    case "double":
      // No bounds here: DuckDB drops a comparison that a file's statistics promise to hold, and those leave out NaN.
      return `CASE WHEN ${source} = trunc(${source}) THEN TRY_CAST(${source} AS BIGINT) END`;
    default:
      return wholeNumberText(source);
  }
}

function textValue(source: string, kind: ColumnKind): string {
  if (kind === "text") {
    return `nullif(${source}, '')`;
  }
  const text = `CAST(${source} AS VARCHAR)`;
  return kind === "other-text" ? `nullif(${text}, '')` : text;
}

function integerSql(source: string, kind: ColumnKind): ColumnSql {
  const value = wholeNumber(source, kind);
  return { value, unread: kind === "integer" ? "FALSE" : unread(source, kind, value) };
}

function timeSql(source: string, kind: ColumnKind, unit: TimeUnit): ColumnSql {
  const value = timeValue(source, kind, unit);
  // Of a timestamp only infinity has no value, which its own function tells before any division.
  const readable = kind === "timestamp" || kind === "timestamp-ms" ? `epoch_us(${source})` : value;
  return { value, unread: kind === "timestamp-ns" ? "FALSE" : unread(source, kind, readable) };
}

function timeValue(source: string, kind: ColumnKind, unit: TimeUnit): string {
  switch (kind) {
    // epoch_us is null for an infinite timestamp; in ns there is none.
    case "timestamp-ms":
      return `epoch_us(${source}) // 1000`;
    case "timestamp":
      return floorDivide(`epoch_us(${source})`, 1000);
    case "timestamp-ns":
      return floorDivide(`epoch_ns(${source})`, 1_000_000);
    case "text":
      return `coalesce(${unitToMs(wholeNumberText(source), unit)}, ${timeText(source)})`;
    default:
      return unitToMs(wholeNumber(source, kind), unit);
  }
}

function booleanSql(source: string, kind: ColumnKind): ColumnSql {
  if (kind === "boolean") {
    return { value: source, unread: "FALSE" };
  }
  const word = `lower(trim(${source}))`;
  const value = `CASE WHEN ${word} IN ('true', 't', '1', 'yes', 'y') THEN TRUE WHEN ${word} IN ('false', 'f', '0', 'no', 'n') THEN FALSE END`;
  return { value, unread: unread(source, kind, value) };
}

/** Never null itself. Empty text and NaN (what pandas writes for null) are null, not unreadable. */
function unread(source: string, kind: ColumnKind, value: string): string {
  if (kind === "text") {
    return isUnreadText(source, value);
  }
  const isNumber = kind === "double" ? ` AND NOT isnan(${source})` : "";
  return `(${source} IS NOT NULL${isNumber} AND (${value}) IS NULL)`;
}

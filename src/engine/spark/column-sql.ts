import type { ColumnKind } from "../duckdb/reading/column-kind.ts";
import type { ColumnSql } from "../duckdb/reading/column-sql.ts";
import type { ColumnRole } from "../duckdb/reading/event-columns.ts";
import type { TimeUnit } from "../duckdb/reading/whole-ms.ts";
import { timeText } from "./time-text.ts";
import { floorDivide, unitToMs, wholeNumber, wholeNumberText } from "./whole-numbers.ts";

const TYPES: Readonly<Record<ColumnRole, string>> = {
  text: "string",
  integer: "bigint",
  time: "bigint",
  boolean: "boolean",
};

/** The column is not there, or typed NULL. */
export function absent(role: ColumnRole): ColumnSql {
  return { value: `cast(null as ${TYPES[role]})`, unread: "false" };
}

/** Reads `source` in a role, as the DuckDB engine's `columnSql` does: the same values, the same ones unread. */
export function columnSql(source: string, kind: ColumnKind, role: ColumnRole, unit: TimeUnit): ColumnSql {
  if (kind === "null") return absent(role);
  switch (role) {
    case "text":
      return { value: textValue(source, kind), unread: "false" };
    case "integer":
      return judged(source, kind, wholeNumber(source, kind));
    case "time":
      return judged(source, kind, timeValue(source, kind, unit));
    case "boolean":
      return kind === "boolean" ? { value: source, unread: "false" } : judged(source, kind, booleanText(source));
  }
}

function textValue(source: string, kind: ColumnKind): string {
  // Spark passes on bytes that are no UTF-8, and they would compare as other text elsewhere: such a file is a bad one.
  if (kind === "text") return `nullif(validate_utf8(${source}), '')`;
  return kind === "other-text" ? `nullif(${source}, '')` : `cast(${source} as string)`;
}

function timeValue(source: string, kind: ColumnKind, unit: TimeUnit): string {
  switch (kind) {
    case "timestamp":
    case "timestamp-ms":
      return `unix_millis(${source})`;
    case "timestamp-ns":
      return floorDivide(source, 1_000_000);
    case "text":
      return `coalesce(${unitToMs(wholeNumberText(source), unit)}, ${timeText(source)})`;
    default:
      return unitToMs(wholeNumber(source, kind), unit);
  }
}

function booleanText(source: string): string {
  const word = `lower(trim(${source}))`;
  return `case when ${word} in ('true', 't', '1', 'yes', 'y') then true when ${word} in ('false', 'f', '0', 'no', 'n') then false end`;
}

/** Kinds that always have a value of their role. */
const ALWAYS_READ: readonly ColumnKind[] = ["integer", "timestamp", "timestamp-ms", "timestamp-ns"];

/** Empty text and NaN (what pandas writes for null) are null, not unread. */
function judged(source: string, kind: ColumnKind, value: string): ColumnSql {
  if (ALWAYS_READ.includes(kind)) return kind === "integer" ? withUnits(source, value) : { value, unread: "false" };
  const isThere =
    kind === "text"
      ? `coalesce(trim(${source}) <> '', false)`
      : kind === "double"
        ? `${source} is not null and not isnan(${source})`
        : `${source} is not null`;
  return { value, unread: `(${isThere} and (${value}) is null)` };
}

/** Seconds may be too many for a BIGINT of ms. */
const withUnits = (source: string, value: string): ColumnSql => ({
  value,
  unread: `(${source} is not null and (${value}) is null)`,
});

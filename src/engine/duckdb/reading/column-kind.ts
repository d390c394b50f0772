import type { ColumnRole } from "./event-columns.ts";
import type { FileColumn } from "./file-schema.ts";

/** How a column is physically stored, as far as reading it differs. */
export type ColumnKind =
  | "null"
  | "text"
  | "other-text"
  | "integer"
  | "wide-integer"
  | "double"
  | "timestamp"
  | "timestamp-ms"
  | "timestamp-ns"
  | "boolean";

const SMALL_INTEGERS = /^U?(TINYINT|SMALLINT|INTEGER)$|^BIGINT$/;
const READABLE: Readonly<Record<ColumnRole, readonly ColumnKind[]>> = {
  text: ["null", "text", "other-text", "integer", "wide-integer"],
  integer: ["null", "text", "integer", "wide-integer", "double"],
  time: ["null", "text", "integer", "wide-integer", "double", "timestamp", "timestamp-ms", "timestamp-ns"],
  boolean: ["null", "text", "boolean"],
};

/** How a file's column is read in a role; null where its type cannot be. */
export function columnKind(column: FileColumn, role: ColumnRole): ColumnKind | null {
  const kind = storedKind(column, role);
  return kind !== null && READABLE[role].includes(kind) ? kind : null;
}

function storedKind({ type, wholeMs }: FileColumn, role: ColumnRole): ColumnKind | null {
  if (SMALL_INTEGERS.test(type)) {
    return "integer";
  }
  // DECIMAL with a fraction can hold whole numbers, but it is no id: '42.00' would be another user than '42'.
  const scale = /^DECIMAL\(\d+,(\d+)\)$/.exec(type)?.[1];
  if (scale !== undefined) {
    return scale === "0" || role === "integer" ? "wide-integer" : null;
  }
  switch (type) {
    case "NULL":
      return "null";
    case "VARCHAR":
    case "BLOB":
      return "text";
    case "UUID":
    case "JSON":
      return "other-text";
    case "UBIGINT":
      return "wide-integer";
    case "FLOAT":
    case "DOUBLE":
      return "double";
    case "TIMESTAMP":
    case "TIMESTAMP WITH TIME ZONE":
      return wholeMs ? "timestamp-ms" : "timestamp";
    case "TIMESTAMP_NS":
      return "timestamp-ns";
    case "BOOLEAN":
      return "boolean";
    default:
      return null;
  }
}

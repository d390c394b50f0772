import type { FileColumn } from "../duckdb/reading/file-schema.ts";

const TYPES: Readonly<Record<string, string>> = {
  TINYINT: "tinyint",
  SMALLINT: "smallint",
  INTEGER: "int",
  BIGINT: "bigint",
  UTINYINT: "smallint",
  USMALLINT: "int",
  UINTEGER: "bigint",
  UBIGINT: "decimal(20, 0)",
  FLOAT: "float",
  DOUBLE: "double",
  BOOLEAN: "boolean",
  VARCHAR: "string",
  JSON: "string",
  BLOB: "binary",
  DATE: "date",
  TIMESTAMP: "timestamp",
  "TIMESTAMP WITH TIME ZONE": "timestamp",
  TIMESTAMP_NS: "bigint",
};

/** Spark's type for a stored column (`type` is DuckDB's name for it, as a probe finds it); null where Spark is not asked for it. */
export function sparkType({ type }: Pick<FileColumn, "type">): string | null {
  return TYPES[type] ?? (/^DECIMAL\(\d+,\d+\)$/.test(type) ? type.toLowerCase() : null);
}

import { sqlPaths } from "./sql-text.ts";

/** A top-level column of a Parquet file. */
export interface FileColumn {
  readonly name: string;
  /** DuckDB's name for its type; `NESTED` for groups, `NULL` for a column typed NULL, `BLOB` for bare binary only. */
  readonly type: string;
  /** Of timestamps: the file's unit where it is no finer than a millisecond, so that nothing needs flooring. */
  readonly wholeMs: boolean;
  /** Of timestamps: the file says that they are instants (UTC-adjusted), or says nothing of a zone. */
  readonly zoned: boolean;
}

/** Reads the schemas of files; one row per node of each schema's tree, in no order. */
export function schemaQuery(paths: readonly string[]): string {
  return `SELECT file_name, name, type, converted_type, logical_type, num_children, duckdb_type, column_id
FROM parquet_schema(${sqlPaths(paths)})`;
}

/** Reads the row counts of files from their footers: file_name, num_rows. */
export function rowCountQuery(paths: readonly string[]): string {
  return `SELECT file_name, num_rows FROM parquet_file_metadata(${sqlPaths(paths)})`;
}

type Row = Readonly<Record<string, unknown>>;

/** The top-level columns of each file by its path, from the rows of `schemaQuery`. */
export function fileSchemas(rows: readonly Row[]): Map<string, FileColumn[]> {
  const byFile = new Map<string, Row[]>();
  for (const row of rows) {
    const file = String(row.file_name);
    const nodes = byFile.get(file);
    if (nodes) {
      nodes.push(row);
    } else {
      byFile.set(file, [row]);
    }
  }
  return new Map([...byFile].map(([file, nodes]) => [file, topLevel(nodes)]));
}

/** The tree comes depth first: a node is followed by all that is below it. */
function topLevel(nodes: Row[]): FileColumn[] {
  nodes.sort((a, b) => Number(a.column_id) - Number(b.column_id));
  const columns: FileColumn[] = [];
  let below = 0;
  for (const node of nodes.slice(1)) {
    const children = Number(node.num_children ?? 0);
    if (below > 0) {
      below += children - 1;
    } else {
      columns.push(fileColumn(node));
      below = children;
    }
  }
  return columns;
}

function fileColumn(node: Row): FileColumn {
  const physical = String(node.type ?? "");
  const converted = String(node.converted_type ?? "");
  const logical = String(node.logical_type ?? "");
  return {
    name: String(node.name),
    type: columnType(String(node.duckdb_type ?? "NESTED"), converted),
    wholeMs: converted === "TIMESTAMP_MILLIS" || logical.includes("MilliSeconds()"),
    // The format defines the older TIMESTAMP_MILLIS and _MICROS, which carry no such flag, as UTC-adjusted.
    zoned: logical.includes("isAdjustedToUTC=1") || (logical === "" && physical !== "INT96"),
  };
}

function columnType(duckdbType: string, converted: string): string {
  if (duckdbType === '"NULL"') {
    return "NULL";
  }
  // Annotated binary (BSON) is no text.
  return duckdbType === "BLOB" && converted !== "" ? converted : duckdbType;
}

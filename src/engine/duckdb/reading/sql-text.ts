/** A SQL string literal. */
export function sqlText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** A quoted SQL identifier: column names are the writers' own. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * The literal for a file's absolute path. DuckDB takes `[`, `*` and `?` of a path for a pattern, in lists of files and
 * in parameters, too; in brackets each of them stands for itself.
 */
export function sqlPath(path: string): string {
  return sqlText(path.replace(/[[*?]/g, "[$&]"));
}

/** The list literal for files, in this order; DuckDB's `file_index` counts along it from 0. */
export function sqlPaths(paths: readonly string[]): string {
  return `[${paths.map(sqlPath).join(", ")}]`;
}

/**
 * The scan of files by their own schemas. Partition values come from the path's parser, never from DuckDB, whose guess
 * makes `hour=08` text and `hour=10` a number. Bare binary is text, which must then be UTF-8, or bytes.
 */
export function parquetScan(paths: readonly string[], binary: "text" | "bytes"): string {
  const options = `hive_partitioning = false, union_by_name = false, binary_as_string = ${binary === "text"}`;
  return `read_parquet(${sqlPaths(paths)}, ${options})`;
}

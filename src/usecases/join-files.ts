import { dirname } from "node:path";
import { sqlPaths, sqlText } from "../engine/duckdb/reading/sql-text.ts";
import { DuckDbSession } from "../engine/duckdb/session.ts";
import type { JoinFiles } from "../publish/run-table.ts";

/** Joins Parquet files by DuckDB, which keeps the order of rows. */
export const joinFiles: JoinFiles = async (files, into) => {
  const session = await DuckDbSession.open({ folder: dirname(into), threads: 1, memoryLimitBytes: null, reads: files });
  try {
    const rows = `read_parquet(${sqlPaths(files)}, hive_partitioning = false)`;
    await session.run(`copy (select * from ${rows}) to ${sqlText(into)} (format parquet, compression zstd)`);
  } finally {
    await session.close();
  }
};

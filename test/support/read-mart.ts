import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { sqlPaths } from "../../src/engine/duckdb/reading/sql-text.ts";
import { plain } from "./pipeline-rows.ts";

/** Rows of a published table below `folder`, in the order of the file; integers as numbers, times as ms. */
export async function readPublished(out: string, folder: string): Promise<object[]> {
  const found = await readdir(join(out, folder)).catch(() => []);
  const files = found.filter((name) => name.endsWith(".parquet")).sort();
  if (files.length === 0) throw new Error(`nothing published in ${folder}`);
  const connection = await (await shared()).connect();
  try {
    const paths = sqlPaths(files.map((name) => join(out, folder, name)));
    const source = `read_parquet(${paths}, hive_partitioning = false)`;
    const columns = (await connection.runAndReadAll(`describe select * from ${source}`)).getRowObjectsJS();
    const list = columns.map(({ column_name, column_type }) =>
      column_type === "TIMESTAMP WITH TIME ZONE" ? `epoch_ms(${column_name}) as ${column_name}` : column_name,
    );
    return (await connection.runAndReadAll(`select ${list.join(", ")} from ${source}`)).getRowObjectsJS().map(plain);
  } finally {
    connection.closeSync();
  }
}

let instance: Promise<DuckDBInstance> | undefined;

function shared(): Promise<DuckDBInstance> {
  instance ??= DuckDBInstance.create(":memory:", { threads: "1" });
  return instance;
}

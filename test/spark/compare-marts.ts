import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { sqlPaths } from "../../src/engine/duckdb/reading/sql-text.ts";

/** A published partition: columns with their types, and rows in the order of the files. */
export interface Partition {
  readonly columns: readonly string[];
  readonly rows: readonly unknown[];
}

let connected: Promise<DuckDBConnection> | undefined;

function connection(): Promise<DuckDBConnection> {
  connected ??= DuckDBInstance.create(":memory:", { threads: "1" }).then((instance) => instance.connect());
  return connected;
}

/** Every partition of a mart, by its folder. */
export async function partitionsOf(mart: string): Promise<Record<string, Partition>> {
  const files = readdirSync(mart, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".parquet"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes("/_presence/"))
    .sort();
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const folder = file.slice(mart.length + 1, file.lastIndexOf("/"));
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  const partitions: Record<string, Partition> = {};
  for (const [folder, paths] of folders) partitions[folder] = await readPartition(paths);
  return partitions;
}

async function readPartition(paths: readonly string[]): Promise<Partition> {
  const duckdb = await connection();
  await duckdb.run("set TimeZone = 'UTC'");
  const source = `read_parquet(${sqlPaths(paths)}, hive_partitioning = false)`;
  const described = (await duckdb.runAndReadAll(`describe select * from ${source}`)).getRowObjectsJS();
  const texts = described.map(({ column_name }) => `cast(${column_name} as varchar) as ${column_name}`);
  return {
    columns: described.map(({ column_name, column_type }) => `${column_name} ${column_type}`),
    rows: (await duckdb.runAndReadAll(`select ${texts.join(", ")} from ${source}`)).getRowObjectsJS(),
  };
}

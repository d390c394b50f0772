/** Writes a scenario's lake as Hive-partitioned Parquet, each file in the physical form that the scenario chose. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { columnsOf } from "./columns.ts";
import { type LakeFile, partitionOf, pathOf, type Scenario } from "./scenario.ts";

let connected: Promise<DuckDBConnection> | undefined;

/** One instance for all lakes of a process. One thread keeps the rows in their order. */
function connection(): Promise<DuckDBConnection> {
  connected ??= (async () => {
    const duckdb = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
    await duckdb.run("SET TimeZone = 'UTC'");
    return duckdb;
  })();
  return connected;
}

function copyStatement(file: LakeFile, path: string): string {
  const columns = columnsOf(file.rows, file.encoding);
  const list = columns.map(({ name, type }) => `CAST("${name}" AS ${type}) AS "${name}"`).join(", ");
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const rows = file.rows.map((_, row) => `(${columns.map(({ cells }) => cells[row]!).join(", ")})`).join(", ");
  const target = path.replaceAll("'", "''");
  return `COPY (SELECT ${list} FROM (VALUES ${rows}) AS rows(${names})) TO '${target}' (FORMAT parquet)`;
}

/** Writes the lake below `dir`: row n of a file is row n of the scenario. */
export async function writeLake(scenario: Scenario, dir: string): Promise<void> {
  const duckdb = await connection();
  const { files, emptyHours } = scenario.lake;
  const hours = new Set([...files.map((file) => file.hourMs), ...emptyHours]);
  await Promise.all([...hours].map((hour) => mkdir(join(dir, partitionOf(hour)), { recursive: true })));
  await Promise.all(emptyHours.map((hour) => writeFile(join(dir, partitionOf(hour), "_SUCCESS"), "")));
  for (const file of files) await duckdb.run(copyStatement(file, join(dir, pathOf(file))));
}

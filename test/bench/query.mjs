// One SQL file over the Parquet files of a lake, as a process of its own: node query.mjs <file.sql> <paths.json> <output>
import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";

const [sqlFile, pathsFile, output] = process.argv.slice(2);
const paths = JSON.parse(readFileSync(pathsFile, "utf8"));
const quoted = (text) => `'${text.replaceAll("'", "''")}'`;
const instance = await DuckDBInstance.create(":memory:", { temp_directory: `${output}.spill` });
const connection = await instance.connect();
await connection.run("SET TimeZone = 'UTC'");
await connection.run(
  `CREATE VIEW lake AS SELECT * FROM read_parquet([${paths.map(quoted).join(", ")}], hive_partitioning = false)`,
);
await connection.run(`COPY (${readFileSync(sqlFile, "utf8")}) TO ${quoted(output)} (FORMAT parquet)`);
connection.closeSync();
instance.closeSync();

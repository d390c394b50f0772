/** Reads the lake of argv[2] in a process of its own, and prints what it found as JSON. */
import { DuckDBInstance } from "@duckdb/node-api";
import { READING_STATEMENTS } from "../../src/engine/duckdb/reading/connection-settings.ts";
import { RAW_EVENT_COLUMNS, rawEventsSelect } from "../../src/engine/duckdb/reading/raw-events.ts";
import { listLake } from "../../src/lake/listing.ts";
import { probeFiles } from "../../src/lake/probe.ts";

const lake = process.argv[2] ?? "";
const settings = { sequence: "column", timeUnit: "ms" } as const;
const instance = await DuckDBInstance.create(":memory:", { threads: "2", temp_directory: `${lake}/.tmp` });
const connection = await instance.connect();
const runSql = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJS();
for (const statement of READING_STATEMENTS) {
  await runSql(statement);
}
const listing = await listLake(lake, { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER });
const { good, bad } = await probeFiles(listing.files, settings, runSql);
const maxima = RAW_EVENT_COLUMNS.map((name) => `max(${name})`).join(", ");
const [row] = await runSql(`SELECT count(*) AS events, ${maxima} FROM (${rawEventsSelect(good, settings)})`);
console.log(
  JSON.stringify({ good: good.length, bad: bad.length, events: Number(row?.events), hours: listing.hours.length }),
);

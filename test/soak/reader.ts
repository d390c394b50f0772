/**
 * Reads the mart over and over, as an analyst's query does, until its standard input closes; then prints what it saw.
 *
 * DuckDB opens a file twice in a query, for its footer and for its data. Where the file is replaced in between, the query fails
 * ("Invalid data"); asked again, it must not. Such queries are counted as interrupted.
 */
import { DuckDBInstance } from "@duckdb/node-api";

const out = process.argv[2]!;
const connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
const figures = {
  reads: 0,
  interrupted: 0,
  twice: 0,
  missing: 0,
  contents: {} as Record<string, number>,
  errors: [] as string[],
};
const TRIES = 3;
let open = true;
process.stdin.on("close", () => {
  open = false;
});
process.stdin.resume();

async function read(): Promise<void> {
  const reader = await connection.runAndReadAll(`
    select metric, date, count(*) as users, count(distinct user_id) as distinct_users, sum(online_ms) as ms
    from read_parquet('${out}/user_daily/**/*.parquet', hive_partitioning = true) group by all order by all`);
  const rows = reader.getRowObjectsJson();
  figures.reads++;
  if (rows.length !== 6) figures.missing++;
  if (rows.some((row) => row.users !== row.distinct_users)) figures.twice++;
  for (const { metric, date, users, ms } of rows) {
    const content = `${metric} ${date}: ${users} users, ${ms} ms`;
    figures.contents[content] = (figures.contents[content] ?? 0) + 1;
  }
}

for (let tries = 0; open; ) {
  try {
    await read();
    tries = 0;
  } catch (error) {
    figures.interrupted++;
    if (++tries === TRIES || !/Invalid data|Out of buffer/.test(String(error)))
      figures.errors.push(String(error).slice(0, 300));
  }
}
process.stdout.write(JSON.stringify(figures));

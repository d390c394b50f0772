import type { DuckDbSession } from "../../src/engine/duckdb/session.ts";
import { MART_TABLES, type MartTable } from "../../src/pipeline/tables.ts";

/** Rows of a table's relation in the mart's column names; integers as numbers, times as ms. */
export async function relationRows(session: DuckDbSession, name: string, metricNo?: number): Promise<object[]> {
  const table = MART_TABLES.find((candidate) => candidate.name === name) as MartTable;
  const columns = table.columns.map(([column, source]) => `${source} as ${column}`).join(", ");
  const where = metricNo === undefined ? "" : `where metric_no = ${metricNo}`;
  const rows = await session.rows(`select ${columns} from ${name} ${where} order by ${table.key.join(", ")}`);
  return rows.map(plain);
}

/** Bigints as numbers: test values stay far below 2^53. */
export function plain(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, typeof value === "bigint" ? Number(value) : value]),
  );
}

import { join } from "node:path";
import type { Definition } from "../definitions/definition.ts";
import type { DuckDbSession } from "../engine/duckdb/session.ts";
import { writeTable } from "../engine/duckdb/write-table.ts";
import { MART_TABLES, type MartTable } from "./tables.ts";

/** One file of the mart: its path below the mart's root, POSIX. */
export interface MartFile {
  readonly table: MartTable;
  readonly path: string;
  /** The definition's place among the run's; null for tables of the day. */
  readonly metricNo: number | null;
}

/** The files that a day's run writes, whatever they come to hold: a partition without rows is an empty file. */
export function martFiles(day: string, definitions: readonly Pick<Definition, "name" | "version">[]): MartFile[] {
  return MART_TABLES.flatMap((table): MartFile[] =>
    table.per === "day"
      ? [{ table, metricNo: null, path: `${table.name}/date=${day}/part-00000.parquet` }]
      : definitions.map(({ name, version }, metricNo) => ({
          table,
          metricNo,
          path: `${table.name}/metric=${name}/version=${version}/date=${day}/part-00000.parquet`,
        })),
  );
}

/** Writes the day's files below `folder`, each at its path in the mart, two at a time, and gives each one's number of rows. */
export async function writeMart(
  session: DuckDbSession,
  files: readonly MartFile[],
  folder: string,
): Promise<ReadonlyMap<MartFile, number>> {
  const rows = new Map<MartFile, number>();
  const left = files.values();
  const writer = async (connection: Pick<DuckDbSession, "rows">) => {
    for (const file of left) rows.set(file, await writeFile(connection, file, folder));
  };
  const beside = { rows: (sql: string) => session.rowsBeside(sql) };
  const writers = await Promise.allSettled([writer(session), writer(beside)]);
  for (const result of writers) if (result.status === "rejected") throw result.reason;
  return new Map(files.map((file) => [file, rows.get(file) ?? 0]));
}

function writeFile(
  connection: Pick<DuckDbSession, "rows">,
  { table, path, metricNo }: MartFile,
  folder: string,
): Promise<number> {
  const columns = table.columns.map(([name, source, kind]) => ({ name, source, kind }));
  const where = metricNo === null ? null : `metric_no = ${metricNo}`;
  return writeTable(connection, { relation: table.name, columns, where, key: table.key }, join(folder, path));
}

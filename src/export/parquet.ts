import { createReadStream } from "node:fs";
import { join } from "node:path";
import type { DuckDbSession } from "../engine/duckdb/session.ts";
import { writeTable } from "../engine/duckdb/write-table.ts";
import { type ExportColumn, type ExportSource, sourceSelect } from "./columns.ts";

/** The rows as one Parquet file of the mart's own kind, with the columns of the partition; it is written to `folder` first. */
export async function* parquetFile(
  session: DuckDbSession,
  sources: readonly ExportSource[],
  columns: readonly ExportColumn[],
  folder: string,
): AsyncGenerator<Uint8Array> {
  const selects = sources.map(
    (source, i) =>
      `select ${i} as source_no, row_number() over () as row_no, * from (${sourceSelect(source, columns)})`,
  );
  await session.run(`create view exported as ${selects.join(" union all ")}`);
  const file = join(folder, "exported.parquet");
  await writeTable(
    session,
    {
      relation: "exported",
      columns: columns.map(({ name, type }) => ({
        name: `"${name}"`,
        source: type === "date" ? `cast("${name}" as date)` : `"${name}"`,
        kind: type === "time" ? "time" : "plain",
      })),
      where: null,
      key: ["source_no", "row_no"],
    },
    file,
  );
  for await (const chunk of createReadStream(file)) yield chunk as Uint8Array;
}

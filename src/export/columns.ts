import { sqlPath, sqlText } from "../engine/duckdb/reading/sql-text.ts";
import type { DuckDbSession } from "../engine/duckdb/session.ts";

/**
 * How a column is told apart from the engine: whole numbers are 64 bits wide, a time is an instant to the millisecond, a date a day
 * of the business zone's calendar.
 */
export type ColumnType = "text" | "integer" | "boolean" | "time" | "date";

/** A column of an exported table. */
export interface ExportColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** A value of a row: text, boolean, `bigint` for whole numbers, ms of Unix time for times, `YYYY-MM-DD` for dates. */
export type ExportValue = string | boolean | bigint | number | null;

/** Rows in their order, some thousand at once. */
export type Batches = AsyncIterable<readonly (readonly ExportValue[])[]>;

/** A file of the mart on this machine, and what its partition says: the columns that its rows do not hold. */
export interface ExportSource {
  readonly file: string;
  /** Such as date, metric, version, in the order in which they are to stand. */
  readonly partition: readonly { readonly name: string; readonly value: string | number; readonly type: ColumnType }[];
}

const TYPES: Readonly<Record<string, ColumnType>> = {
  VARCHAR: "text",
  BIGINT: "integer",
  INTEGER: "integer",
  BOOLEAN: "boolean",
  DATE: "date",
  "TIMESTAMP WITH TIME ZONE": "time",
};

/** The columns of a table as it is exported: those of its partition, then its own. All sources are of one table. */
export async function exportColumns(session: DuckDbSession, source: ExportSource): Promise<ExportColumn[]> {
  const described = await session.rows(`describe select * from ${parquet(source)}`);
  const own = described.map(({ column_name, column_type }): ExportColumn => {
    const type = TYPES[String(column_type)];
    if (type === undefined) throw new Error(`${source.file}: column ${column_name} has the type ${column_type}`);
    return { name: String(column_name), type };
  });
  return [...source.partition.map(({ name, type }) => ({ name, type })), ...own];
}

/** SELECT of a source's rows in the order of its file; times as ms, and dates as text. */
export function sourceSelect(source: ExportSource, columns: readonly ExportColumn[]): string {
  const given = new Map(source.partition.map(({ name, value }) => [name, value]));
  const list = columns.map(({ name, type }) => {
    const value = given.get(name);
    const quoted = `"${name}"`;
    if (typeof value === "number") return `cast(${value} as bigint) as ${quoted}`;
    if (value !== undefined) return `${sqlText(value)} as ${quoted}`;
    if (type === "time") return `epoch_ms(${quoted}) as ${quoted}`;
    return type === "integer"
      ? `cast(${quoted} as bigint) as ${quoted}`
      : type === "date"
        ? `cast(${quoted} as varchar) as ${quoted}`
        : quoted;
  });
  return `select ${list.join(", ")} from ${parquet(source)}`;
}

const parquet = ({ file }: ExportSource): string => `read_parquet([${sqlPath(file)}], hive_partitioning = false)`;

/** The rows of the sources, one source after the other. */
export async function* readSources(
  session: DuckDbSession,
  sources: readonly ExportSource[],
  columns: readonly ExportColumn[],
): AsyncGenerator<readonly (readonly ExportValue[])[]> {
  const times = columns.flatMap(({ type }, i) => (type === "time" ? [i] : []));
  for (const source of sources) {
    for await (const rows of session.batches(sourceSelect(source, columns))) {
      yield rows.map((row) => {
        const values = [...row] as ExportValue[];
        for (const i of times) values[i] = values[i] === null ? null : Number(values[i]);
        return values;
      });
    }
  }
}

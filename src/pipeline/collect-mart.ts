import { join } from "node:path";
import type { Definition } from "../definitions/definition.ts";
import { rowCountQuery } from "../engine/duckdb/reading/file-schema.ts";
import type { DuckDbSession } from "../engine/duckdb/session.ts";
import { SPARK_TABLES } from "./spark-job.ts";
import { type MartFile, martFiles, writeMart } from "./write-mart.ts";

/** A part file of a table as Spark has left it: `output/user_daily/metric_no=0/part-00000-….parquet`, POSIX. */
export interface SparkPart {
  readonly path: string;
  /** Where it lies on this machine. */
  readonly local: string;
}

/** The mart's files that Spark's parts become, in the order of their rows; a partition that Spark has no part of is not among them. */
export function martParts(
  day: string,
  definitions: readonly Pick<Definition, "name" | "version">[],
  parts: readonly SparkPart[],
): ReadonlyMap<MartFile, SparkPart> {
  const found = new Map<MartFile, SparkPart>();
  for (const file of martFiles(day, definitions).filter(({ table }) => SPARK_TABLES.includes(table))) {
    const folder = file.metricNo === null ? file.table.name : `${file.table.name}/metric_no=${file.metricNo}`;
    const own = parts.filter(({ path }) => path.slice(0, path.lastIndexOf("/")) === `output/${folder}`);
    own.sort((a, b) => (a.path < b.path ? -1 : 1));
    for (const [index, part] of own.entries()) found.set({ ...file, path: partPath(file.path, index) }, part);
  }
  return found;
}

const partPath = (path: string, index: number): string =>
  path.replace(/part-\d{5}\.parquet$/, `part-${String(index).padStart(5, "0")}.parquet`);

/**
 * Writes what Spark has left to this program, and gives the rows of all files: the partitions that have no part, as empty files, and the
 * tables of which the session has `rows` (named like them).
 */
export async function completeMart(
  session: DuckDbSession,
  day: string,
  definitions: readonly Pick<Definition, "name" | "version">[],
  present: ReadonlyMap<MartFile, SparkPart>,
  folder: string,
): Promise<ReadonlyMap<MartFile, number>> {
  const folderOf = ({ path }: Pick<MartFile, "path">) => path.slice(0, path.lastIndexOf("/"));
  const there = new Set([...present.keys()].map(folderOf));
  const lacking = martFiles(day, definitions).filter((file) => !there.has(folderOf(file)));
  for (const { name, columns } of SPARK_TABLES) {
    const typed = columns.map(([, source]) => `${source} ${columnType(source)}`);
    await session.run(`create table ${name} (${["metric_no integer", ...typed].join(", ")})`);
  }
  const written = await writeMart(session, lacking, folder);
  const local = (file: MartFile) => join(folder, file.path);
  const rows = await rowsOfFiles(session, [...present.keys()].map(local));
  return new Map([...[...present.keys()].map((file) => [file, rows.get(local(file)) ?? 0] as const), ...written]);
}

const TEXT = /_(id|type|reason|version)$|^(client_type|channel|region|dimension|value|reason|detail|source_file)$/;
const FLAGS = ["complete", "foreground", "active"];

/** DuckDB's type of a table's column by its name; the tests compare it with what DuckDB writes. */
export function columnType(source: string): "varchar" | "boolean" | "bigint" {
  if (FLAGS.includes(source)) return "boolean";
  return TEXT.test(source) ? "varchar" : "bigint";
}

async function rowsOfFiles(session: DuckDbSession, paths: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = paths.length === 0 ? [] : await session.rows(rowCountQuery(paths));
  return new Map(rows.map((row) => [String(row.file_name), Number(row.num_rows)]));
}

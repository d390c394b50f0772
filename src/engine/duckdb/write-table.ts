import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { sqlText } from "./reading/sql-text.ts";
import type { DuckDbSession } from "./session.ts";
import { declareTimesUtc } from "./utc-times.ts";

/** A column of an output file. `time`: ms of Unix time, written as a UTC timestamp of milliseconds. */
export interface OutputColumn {
  readonly name: string;
  readonly source: string;
  readonly kind: "plain" | "time";
}

/** What one output file holds: columns of a relation, the rows that `where` takes, in the order of a unique key. */
export interface Output {
  readonly relation: string;
  readonly columns: readonly OutputColumn[];
  readonly where: string | null;
  readonly key: readonly string[];
}

/** Times outside of years 1 to 9999 exist in broken events only, and no reader agrees on them. */
const MIN_TIME_MS = -62_135_596_800_000;
const MAX_TIME_MS = 253_402_300_799_999;

/** Writes one Parquet file and gives its number of rows; the same rows give the same bytes, whatever the number of threads. */
export async function writeTable(session: Pick<DuckDbSession, "rows">, output: Output, path: string): Promise<number> {
  await mkdir(dirname(path), { recursive: true });
  const columns = output.columns.map(
    ({ name, source, kind }) => `${kind === "time" ? timestamp(source) : source} as ${name}`,
  );
  const where = output.where === null ? "" : `where ${output.where}`;
  const [copied] = await session.rows(`copy (
    select ${columns.join(", ")} from ${output.relation} ${where} order by ${output.key.join(", ")}
  ) to ${sqlText(path)} (format parquet, compression zstd)`);
  await declareTimesUtc(path, output.columns.filter(({ kind }) => kind === "time").length);
  return Number(copied?.Count);
}

function timestamp(source: string): string {
  const inRange = `${source} between ${MIN_TIME_MS} and ${MAX_TIME_MS}`;
  return `cast(make_timestamp_ms(case when ${inRange} then ${source} end) as timestamp_ms)`;
}

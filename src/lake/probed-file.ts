import type { EventReading } from "../engine/duckdb/reading/event-reading.ts";
import type { FileColumn } from "../engine/duckdb/reading/file-schema.ts";
import type { ReadableFile } from "../engine/duckdb/reading/scan-groups.ts";
import type { BadFile } from "./bad-file.ts";
import type { LakeFile } from "./lake-file.ts";

/** Runs one statement and gives its rows; integers may come as bigint or number. */
export type RunSql = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** A file that can be read, with its place among the good files and how its columns are read. */
export interface ProbedFile extends LakeFile, ReadableFile {
  readonly rows: number;
  readonly columns: readonly FileColumn[];
  readonly reading: EventReading;
  /** Contract columns whose times name no zone (they are UTC). */
  readonly zoneless: readonly string[];
}

export interface Probe {
  /** In the order of the files; `fileNo` counts from 0. */
  readonly good: readonly ProbedFile[];
  /** In the order of the files. */
  readonly bad: readonly BadFile[];
}

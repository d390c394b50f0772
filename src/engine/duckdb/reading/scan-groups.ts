import type { EventReading } from "./event-reading.ts";
import type { FileColumn } from "./file-schema.ts";
import { parquetScan, sqlName } from "./sql-text.ts";

/** A good file of the lake with its number. `fileNo` is its place (from 0) by the UTF-8 bytes of its relative path. */
export interface ReadableFile {
  readonly fileNo: number;
  /** Absolute. */
  readonly path: string;
  /** Start of the partition's hour, ms of Unix time. */
  readonly hourMs: number;
  readonly columns: readonly FileColumn[];
  readonly reading: EventReading;
}

/** Files that one scan reads, since what is read of them is stored alike. */
export interface ScanGroup<Plan> {
  readonly plan: Plan;
  readonly files: readonly ReadableFile[];
  /** The scan with an alias; to stand after FROM. */
  readonly from: string;
  /** SQL of a file's column by its name. */
  readonly column: (name: string) => string;
}

/** Names that DuckDB gives to what it knows of a row: where it came from. A file's own column of the name hides it. */
const VIRTUAL = new Set(["file_index", "file_row_number", "filename"]);

/**
 * Groups files by equal plans (compared as JSON), each group and its files in order of fileNo. One scan takes the schema
 * of its first file and finds the columns of the others by name, so that names that DuckDB would confuse part a group.
 */
export function scanGroups<Plan>(
  files: readonly ReadableFile[],
  planOf: (file: ReadableFile) => Plan,
  binary: "text" | "bytes" = "text",
): ScanGroup<Plan>[] {
  const groups = new Map<string, { plan: Plan; files: ReadableFile[]; confusing: boolean }>();
  for (const file of [...files].sort((a, b) => a.fileNo - b.fileNo)) {
    const plan = planOf(file);
    const confusing = hasConfusingNames(file.columns);
    const key = JSON.stringify([plan, confusing ? file.fileNo : -1]);
    const group = groups.get(key);
    if (group) {
      group.files.push(file);
    } else {
      groups.set(key, { plan, files: [file], confusing });
    }
  }
  return [...groups.values()].map(({ plan, files: members, confusing }) => {
    const scan = parquetScan(
      members.map((file) => file.path),
      binary,
    );
    if (!confusing) {
      return { plan, files: members, from: `${scan} AS lake`, column: sqlName };
    }
    const columns = members[0]?.columns ?? [];
    const aliases = columns.map((_, index) => `c${index}`);
    return {
      plan,
      files: members,
      from: `${scan} AS lake(${aliases.join(", ")})`,
      column: (name) => `c${columns.findIndex((column) => column.name === name)}`,
    };
  });
}

/** DuckDB's names are the same in upper and lower case; a Parquet file's are not. */
function hasConfusingNames(columns: readonly FileColumn[]): boolean {
  const lower = columns.map((column) => column.name.toLowerCase());
  return new Set(lower).size < lower.length || lower.some((name) => VIRTUAL.has(name));
}

/** SQL of `event_no`: file number and row number (from 0) in the file, in one BIGINT. */
export function eventNo(files: readonly ReadableFile[]): string {
  return `${perFile(files, (file) => file.fileNo)} * 4294967296 + file_row_number`;
}

/** SQL (BIGINT) of a number that each file of a scan has: by arithmetic where it can be, else by a lookup. */
export function perFile(files: readonly ReadableFile[], value: (file: ReadableFile) => number): string {
  const values = files.map(value);
  const first = values[0] ?? 0;
  const step = (values[1] ?? first) - first;
  if (values.some((each, index) => each !== first + index * step)) {
    return `CAST([${values.join(", ")}][CAST(file_index AS BIGINT) + 1] AS BIGINT)`;
  }
  return step === 0 ? `CAST(${first} AS BIGINT)` : `(CAST(file_index AS BIGINT) * ${step} + ${first})`;
}

import type { DuckDbSession } from "../engine/duckdb/session.ts";
import { arrowFile } from "../export/arrow.ts";
import { type ExportColumn, type ExportSource, exportColumns, readSources } from "../export/columns.ts";
import { csvText } from "../export/csv.ts";
import { ndjsonText } from "../export/ndjson.ts";
import { parquetFile } from "../export/parquet.ts";
import { PostgresTable, type Replacement } from "../export/postgres.ts";
import type { PostgresTarget } from "../export/postgres-target.ts";
import { defaultMemoryLimit } from "../plan/resources.ts";
import { withPrivateFolder } from "../publish/private-folder.ts";
import { runTable } from "../publish/run-table.ts";
import { type ExportedPart, type ExportRequest, exportedParts } from "./export-parts.ts";
import { joinFiles } from "./join-files.ts";
import { type MartEffects, martStore } from "./mart-access.ts";
import { withSession } from "./mart-session.ts";

/** How rows are written as bytes. */
export type ExportFormat = "csv" | "ndjson" | "arrow" | "parquet";

/** Where the rows go: as bytes to whoever takes them, or into a database. */
export type ExportTarget =
  | {
      readonly kind: "bytes";
      readonly format: ExportFormat;
      /** Takes a piece; false: no more are wanted. */
      write(chunk: Uint8Array | string): Promise<boolean>;
    }
  | ({ readonly kind: "postgres" } & PostgresTarget);

/** What is exported, and from where. */
export interface ExportOptions extends ExportRequest {
  readonly out: string;
  readonly tempDir: string | null;
}

/** What was exported. */
export interface ExportResult {
  readonly out: string;
  readonly table: string;
  /** What was exported, in the order of the rows. */
  readonly parts: readonly {
    readonly date: string;
    readonly metric: string | null;
    readonly version: number | null;
    readonly run: string;
    readonly rows: number;
    readonly complete: boolean;
  }[];
  readonly rows: number;
}

/**
 * Exports a table's rows of some dates, as their last commits say: from the files of the runs, which never change, so that rows of
 * two results never mix. Exit 3 where the mart lacks a date.
 */
export async function exportTable(
  options: ExportOptions,
  target: ExportTarget,
  effects: MartEffects,
): Promise<ExportResult> {
  const store = martStore(options.out, effects);
  const parts = await exportedParts(store, options, effects.nowMs);
  await withPrivateFolder(options.tempDir, async (folder) => {
    const sources: ExportSource[] = [];
    for (const part of parts) {
      effects.signal.throwIfAborted();
      sources.push({
        file: (await runTable(store, part, options.table, folder, joinFiles))!,
        partition: part.partition,
      });
    }
    const reads = sources.map(({ file }) => file);
    const resources = { folder, threads: null, memoryLimitBytes: defaultMemoryLimit(), reads };
    await withSession(resources, effects.signal, async (session) => {
      const columns = await exportColumns(session, sources[0]!);
      if (target.kind === "postgres")
        return toPostgres(session, { parts, sources, columns, metrics: options.metrics }, target, effects.signal);
      for await (const chunk of encoded(target.format, session, sources, columns, folder)) {
        effects.signal.throwIfAborted();
        if (!(await target.write(chunk))) return;
      }
    });
  });
  const told = parts.map(({ date, metric, version, run, files, complete }) => ({
    date,
    metric,
    version,
    run,
    rows: files.reduce((sum, { rows }) => sum + rows, 0),
    complete,
  }));
  return { out: options.out, table: options.table, parts: told, rows: told.reduce((sum, { rows }) => sum + rows, 0) };
}

function encoded(
  format: ExportFormat,
  session: DuckDbSession,
  sources: readonly ExportSource[],
  columns: readonly ExportColumn[],
  folder: string,
): AsyncIterable<Uint8Array | string> {
  const rows = () => readSources(session, sources, columns);
  switch (format) {
    case "csv":
      return csvText(columns, rows());
    case "ndjson":
      return ndjsonText(columns, rows());
    case "arrow":
      return arrowFile(columns, rows());
    case "parquet":
      return parquetFile(session, sources, columns, folder);
  }
}

interface Exported {
  readonly parts: readonly ExportedPart[];
  readonly sources: readonly ExportSource[];
  readonly columns: readonly ExportColumn[];
  readonly metrics: readonly string[] | null;
}

/** Each date in a transaction of its own. */
async function toPostgres(
  session: DuckDbSession,
  { parts, sources, columns, metrics }: Exported,
  target: PostgresTarget,
  signal: AbortSignal,
): Promise<void> {
  const database = await PostgresTable.open(target, columns);
  try {
    for (const date of new Set(parts.map((part) => part.date))) {
      signal.throwIfAborted();
      const own = sources.filter((_, i) => parts[i]!.date === date);
      await database.replace(
        {
          partitions: replacedBy(own, metrics),
          rows: csvText(columns, readSources(session, own, columns), false),
        },
        signal,
      );
    }
  } finally {
    await database.close();
  }
}

/** All rows of the date, unless definitions were asked for: then theirs. */
function replacedBy(sources: readonly ExportSource[], metrics: readonly string[] | null): Replacement["partitions"] {
  const partitions = sources.map(({ partition }) =>
    partition.slice(0, metrics === null ? 1 : partition.length).map(({ name, value }) => [name, value] as const),
  );
  return (metrics === null ? partitions.slice(0, 1) : partitions).map((partition) => Object.fromEntries(partition));
}

import { RAW_EVENT_COLUMNS, type ReadingSettings, rawEventsSelect } from "../engine/duckdb/reading/raw-events.ts";
import { type BadFile, badFile, readError } from "./bad-file.ts";
import type { ProbedFile, RunSql } from "./probed-file.ts";

/**
 * After a scan of many files failed (damaged pages, text that is no UTF-8): reads each file on its own, the columns that
 * the scan reads, and gives the files at fault. Empty where none fails alone: then the files were not the cause.
 */
export async function findUnreadable(
  files: readonly ProbedFile[],
  settings: ReadingSettings,
  runSql: RunSql,
): Promise<BadFile[]> {
  const bad: BadFile[] = [];
  for (const file of files) {
    try {
      await runSql(readWhole(file, settings));
    } catch (error) {
      bad.push(badFile(file, "UNREADABLE", readError(file, error)));
    }
  }
  return bad;
}

function readWhole(file: ProbedFile, settings: ReadingSettings): string {
  const counts = RAW_EVENT_COLUMNS.map((name) => `max(${name}) AS ${name}`).join(", ");
  return `SELECT ${counts} FROM (${rawEventsSelect([file], settings)})`;
}

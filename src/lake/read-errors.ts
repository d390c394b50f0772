import { otherColumnNames, otherColumnsSelect } from "../engine/duckdb/reading/other-columns.ts";
import { RAW_EVENT_COLUMNS, type ReadingSettings, rawEventsSelect } from "../engine/duckdb/reading/raw-events.ts";
import { type BadFile, unreadableFile } from "./bad-file.ts";
import { type FileAccess, LOCAL_FILES } from "./file-access.ts";
import type { ProbedFile, RunSql } from "./probed-file.ts";

/**
 * After a scan of many files failed (damaged pages, text that is no UTF-8): reads each file on its own, the contract's
 * columns first, and only where none of those is at fault the others. Empty where no file fails alone: then the files
 * were not the cause.
 */
export async function findUnreadable(
  files: readonly ProbedFile[],
  settings: ReadingSettings,
  runSql: RunSql,
  access: FileAccess = LOCAL_FILES,
): Promise<BadFile[]> {
  const failing = async (read: (file: ProbedFile) => string) => {
    const bad: BadFile[] = [];
    await access.read(files, async (batch) => {
      for (const file of batch) {
        try {
          await runSql(read(file));
        } catch (error) {
          bad.push(unreadableFile(file, error));
        }
      }
    });
    return bad;
  };
  const bad = await failing((file) => maxima(RAW_EVENT_COLUMNS, rawEventsSelect([file], settings)));
  return bad.length > 0 ? bad : failing(readOthers);
}

function readOthers(file: ProbedFile): string {
  const columns = otherColumnNames([file]).map((name, index) => ({ name, as: `c${index}` }));
  const names = ["event_no", ...columns.map((column) => column.as)];
  return maxima(names, otherColumnsSelect([file], columns));
}

/** Every value must be read for its maximum. */
function maxima(names: readonly string[], select: string): string {
  return `SELECT ${names.map((name) => `max(${name})`).join(", ")} FROM (${select})`;
}

import { lakeReading } from "../engine/duckdb/reading/lake-reading.ts";
import type { ReadingSettings } from "../engine/duckdb/reading/raw-events.ts";
import type { LakeFiles } from "../engine/engine.ts";
import type { FileAccess } from "./file-access.ts";
import type { ProbedFile } from "./probed-file.ts";

/** The good files of a day, as the engine reads them. */
export function lakeFiles(files: readonly ProbedFile[], settings: ReadingSettings, access: FileAccess): LakeFiles {
  return {
    sourceFiles: files.map(({ fileNo, relative }) => ({ fileNo, path: relative })),
    read: (work, { fileNos, mostRows = Number.POSITIVE_INFINITY } = {}) =>
      access.read(fileNos ? files.filter(({ fileNo }) => fileNos.has(fileNo)) : files, async (batch) => {
        for (const part of parts(batch, mostRows)) await work(lakeReading(part, settings, files));
      }),
  };
}

/** The files in their order, as few parts as can be; one at least. */
function parts(files: readonly ProbedFile[], mostRows: number): ProbedFile[][] {
  const all: ProbedFile[][] = [[]];
  let rows = 0;
  for (const file of files) {
    if (rows > 0 && rows + file.rows > mostRows) {
      all.push([]);
      rows = 0;
    }
    all.at(-1)!.push(file);
    rows += file.rows;
  }
  return all;
}

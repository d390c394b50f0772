import { lakeReading } from "../engine/duckdb/reading/lake-reading.ts";
import type { ReadingSettings } from "../engine/duckdb/reading/raw-events.ts";
import type { LakeFiles } from "../engine/engine.ts";
import type { FileAccess } from "./file-access.ts";
import type { ProbedFile } from "./probed-file.ts";

/** The good files of a day, as the engine reads them. */
export function lakeFiles(files: readonly ProbedFile[], settings: ReadingSettings, access: FileAccess): LakeFiles {
  return {
    sourceFiles: files.map(({ fileNo, relative }) => ({ fileNo, path: relative })),
    read: (work, fileNos) =>
      access.read(fileNos ? files.filter(({ fileNo }) => fileNos.has(fileNo)) : files, (batch) =>
        work(lakeReading(batch, settings, files)),
      ),
  };
}

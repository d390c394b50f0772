import type { LakeReading } from "../../engine.ts";
import { otherColumnNames, otherColumnsSelect, otherColumnsSortSelect } from "./other-columns.ts";
import { type ReadingSettings, rawEventsSelect } from "./raw-events.ts";
import type { ReadableFile } from "./scan-groups.ts";

/**
 * How the good files of a day are read. `relative`: path below the lake, POSIX. Where only some of the day's files are read,
 * `allFiles` still decide which other columns there are and how they sort (R7).
 */
export function lakeReading(
  files: readonly (ReadableFile & { readonly relative: string })[],
  settings: ReadingSettings,
  allFiles: readonly ReadableFile[] = files,
): LakeReading {
  const others = otherColumnNames(allFiles);
  const asIs = (names: readonly string[]) => names.map((name) => ({ name, as: name }));
  return {
    rawEvents: rawEventsSelect(files, settings),
    textColumns: (names) => otherColumnsSelect(files, asIs(names)),
    otherColumns:
      others.length === 0 ? null : { select: otherColumnsSortSelect(files, asIs(others), allFiles), names: others },
    sourceFiles: files.map((file) => ({ fileNo: file.fileNo, path: file.relative })),
  };
}

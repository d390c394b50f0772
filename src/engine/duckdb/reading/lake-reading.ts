import type { LakeReading } from "../../engine.ts";
import { otherColumnNames, otherColumnsSelect, otherColumnsSortSelect } from "./other-columns.ts";
import { type ReadingSettings, rawEventsSelect } from "./raw-events.ts";
import type { ReadableFile } from "./scan-groups.ts";

/** How the good files of a day are read. `relative`: path below the lake, POSIX. */
export function lakeReading(
  files: readonly (ReadableFile & { readonly relative: string })[],
  settings: ReadingSettings,
): LakeReading {
  const others = otherColumnNames(files);
  const asIs = (names: readonly string[]) => names.map((name) => ({ name, as: name }));
  return {
    rawEvents: rawEventsSelect(files, settings),
    textColumns: (names) => otherColumnsSelect(files, asIs(names)),
    otherColumns: others.length === 0 ? null : { select: otherColumnsSortSelect(files, asIs(others)), names: others },
    sourceFiles: files.map((file) => ({ fileNo: file.fileNo, path: file.relative })),
  };
}

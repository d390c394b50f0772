import type { LakeReading } from "../../engine.ts";
import { otherColumnNames, otherColumnsSelect, otherColumnsSortSelect } from "./other-columns.ts";
import { type ReadingSettings, rawEventsSelect } from "./raw-events.ts";
import { eventNo, type ReadableFile } from "./scan-groups.ts";

/**
 * How good files of a day are read. Where only some of the day's are, `allFiles` still decide which other columns there are and how
 * they sort (R7).
 */
export function lakeReading(
  files: readonly ReadableFile[],
  settings: ReadingSettings,
  allFiles: readonly ReadableFile[] = files,
): LakeReading {
  const others = otherColumnNames(allFiles);
  return {
    rawEvents: rawEventsSelect(files, settings),
    rawEventsIn: (relation) =>
      rawEventsSelect(files, settings, (group) => `${eventNo(group.files)} IN (SELECT event_no FROM ${relation})`),
    textColumns: (names) => otherColumnsSelect(files, numbered(names)),
    otherColumns:
      others.length === 0
        ? null
        : {
            select: otherColumnsSortSelect(files, numbered(others), allFiles),
            names: numbered(others).map(({ as }) => as),
          },
  };
}

/** A lake's names may differ in nothing but case, which SQL does not tell apart, or be those of our own columns. */
function numbered(names: readonly string[]): { name: string; as: string }[] {
  return names.map((name, index) => ({ name, as: `other_${index}` }));
}

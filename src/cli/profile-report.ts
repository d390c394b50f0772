import type { DayResult } from "../usecases/rebuild-result.ts";
import type { Paint } from "./ansi.ts";
import { bytes, count } from "./format.ts";
import { type Column, table } from "./table.ts";

const COLUMNS: readonly Column[] = [
  { title: "stage", align: "left" },
  { title: "step", align: "left" },
  { title: "seconds", align: "right" },
  { title: "share", align: "right" },
  { title: "rows in", align: "right" },
  { title: "rows out", align: "right" },
  { title: "peak memory", align: "right" },
  { title: "spilled", align: "right" },
];

/** What each step of each day took, for `--profile`. Steps without any measurable time are left out. */
export function profileReport(days: readonly DayResult[], paint: Paint): string {
  return days
    .map(({ day, profile, seconds: all }) => {
      const rows = profile
        .filter(({ seconds }) => seconds >= 0.001)
        .map(({ stage, step, seconds, rowsIn, rowsOut, peakRssBytes, spilledBytes }) => [
          stage,
          step,
          seconds.toFixed(3),
          `${((seconds / all) * 100).toFixed(1)}%`,
          count(rowsIn),
          count(rowsOut),
          bytes(peakRssBytes),
          spilledBytes === 0 ? "" : bytes(spilledBytes),
        ]);
      return `${day}, ${all.toFixed(3)} s\n${table(COLUMNS, rows, paint)}`;
    })
    .join("\n");
}

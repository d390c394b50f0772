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

const NOT_TOLD = "Rows, memory and spilled bytes of each step are shown by Spark's own UI and history server.\n";

/**
 * What each step of each day took, for `--profile`. Steps without any measurable time are left out, and columns of which the engine
 * tells nothing.
 */
export function profileReport(days: readonly DayResult[], paint: Paint): string {
  return days
    .map(({ day, profile, seconds: all }) => {
      const isTold = profile.every(({ rowsOut }) => rowsOut !== null);
      const columns = isTold ? COLUMNS : COLUMNS.slice(0, 4);
      const rows = profile
        .filter(({ seconds }) => seconds >= 0.001)
        .map(({ stage, step, seconds, rowsIn, rowsOut, peakRssBytes, spilledBytes }) => [
          stage,
          step,
          seconds.toFixed(3),
          `${((seconds / all) * 100).toFixed(1)}%`,
          count(rowsIn ?? 0),
          count(rowsOut ?? 0),
          bytes(peakRssBytes ?? 0),
          spilledBytes ? bytes(spilledBytes) : "",
        ])
        .map((cells) => cells.slice(0, columns.length));
      return `${day}, ${all.toFixed(3)} s\n${table(columns, rows, paint)}${isTold ? "" : NOT_TOLD}`;
    })
    .join("\n");
}

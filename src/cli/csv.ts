import { csvLine } from "../export/csv.ts";
import type { RawRow } from "../quarantine/report.ts";

/** Rows as RFC 4180, in the order of the columns. */
export function csvRows(columns: readonly string[], rows: readonly RawRow[], withHeader: boolean): string {
  const lines = rows.map((row) => csvLine(columns.map((column) => row[column])));
  return [...(withHeader ? [csvLine(columns)] : []), ...lines].join("");
}

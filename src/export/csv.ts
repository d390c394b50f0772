import type { Batches, ExportColumn, ExportValue } from "./columns.ts";
import { isoTime } from "./iso-time.ts";

/** A line of RFC 4180: CRLF, quotes where needed; null is nothing between the commas. */
export const csvLine = (values: readonly (ExportValue | undefined)[]): string => `${values.map(field).join(",")}\r\n`;

function field(value: ExportValue | undefined): string {
  if (value === null || value === undefined) return "";
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The rows as CSV; times are ISO 8601 in UTC. Without a header where `header` is false. */
export async function* csvText(
  columns: readonly ExportColumn[],
  batches: Batches,
  header = true,
): AsyncGenerator<string> {
  if (header) yield csvLine(columns.map(({ name }) => name));
  const isTime = columns.map(({ type }) => type === "time");
  for await (const rows of batches) {
    yield rows.map((row) => csvLine(row.map((value, i) => (isTime[i] ? isoTime(value) : value)))).join("");
  }
}

import type { RawRow } from "../quarantine/report.ts";

/** Rows as RFC 4180: CRLF, quotes where needed; null is nothing between the commas. */
export function csvRows(columns: readonly string[], rows: readonly RawRow[], withHeader: boolean): string {
  const lines = rows.map((row) => columns.map((column) => field(row[column] ?? null)).join(","));
  return [...(withHeader ? [columns.map(field).join(",")] : []), ...lines].map((line) => `${line}\r\n`).join("");
}

function field(value: string | number | boolean | null): string {
  if (value === null) return "";
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

import type { Paint } from "./ansi.ts";

export interface Column {
  readonly title: string;
  readonly align: "left" | "right";
}

const GAP = "  ";

/** Aligned columns below a bold header; every line ends with a newline and none in spaces. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[], paint: Paint): string {
  const widths = columns.map((column, i) => Math.max(column.title.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (columns[i]!.align === "right" ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join(GAP)
      .trimEnd();
  const header = paint.bold(line(columns.map((column) => column.title)));
  return [header, ...rows.map(line)].map((text) => `${text}\n`).join("");
}

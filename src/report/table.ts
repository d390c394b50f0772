import { scaleLinear } from "d3-scale";
import { type Content, type Markup, markup } from "./markup.ts";

/** A column, and how its cells are set. */
export interface TableColumn {
  readonly title: string;
  /** `number`: to the right; `id`: may break anywhere; `prose`: sentences; `bar`: the cell is a share from 0 to 1, drawn. */
  readonly kind?: "text" | "number" | "id" | "prose" | "bar";
}

/**
 * A table that scrolls within the page where it is too wide; `stacked` ones show each row as a list on a phone, which suits few
 * rows of many columns. `bar` cells say nothing that another cell does not.
 */
export function table(
  caption: Content,
  columns: readonly TableColumn[],
  rows: readonly (readonly Content[])[],
  { stacked = false }: { readonly stacked?: boolean } = {},
): Markup {
  return markup`${caption === null ? null : markup`<p class="muted small">${caption}</p>`}<div class="scroll"><table${stacked ? markup` class="stacked"` : null}>
<thead><tr>${columns.map(heading)}</tr></thead>
<tbody>${rows.map(
    (cells) => markup`<tr>${cells.map((cell, i) => tableCell(cell, columns[i]!, stacked))}</tr>\n`,
  )}</tbody></table></div>\n`;
}

const classOf = ({ kind }: TableColumn): Markup | null =>
  kind === undefined || kind === "text" ? null : markup` class="${kind}"`;

const heading = (column: TableColumn): Markup =>
  column.kind === "bar" ? markup`<td></td>` : markup`<th scope="col"${classOf(column)}>${column.title}</th>`;

const tableCell = (cell: Content, column: TableColumn, stacked: boolean): Markup =>
  markup`<td${classOf(column)}${stacked ? markup` data-of="${column.title}"` : null}>${column.kind === "bar" ? bar(Number(cell)) : cell}</td>`;

const BAR_UNITS = 1000;
const barScale = scaleLinear([0, 1], [0, BAR_UNITS]).clamp(true);

function bar(share: number): Markup {
  const length = Math.round(barScale(share));
  return markup`<svg viewBox="0 0 ${BAR_UNITS} 10" preserveAspectRatio="none" aria-hidden="true"><rect class="f1" width="${length}" height="10" rx="2"/></svg>`;
}

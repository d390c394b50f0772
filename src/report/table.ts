import { scaleLinear } from "d3-scale";
import { type Content, type Markup, markup } from "./markup.ts";

export interface TableColumn {
  readonly title: string;
  /** `number`: to the right; `id`: may break anywhere; `bar`: the cell is a share from 0 to 1, drawn. */
  readonly kind?: "text" | "number" | "id" | "bar";
}

/** A table that scrolls within the page where it is too wide. `bar` cells say nothing that another cell does not. */
export function table(
  caption: Content,
  columns: readonly TableColumn[],
  rows: readonly (readonly Content[])[],
): Markup {
  const kinds = columns.map(({ kind }) => (kind === undefined || kind === "text" ? null : markup` class="${kind}"`));
  return markup`<div class="scroll"><table>${caption === null ? null : markup`<caption>${caption}</caption>`}
<thead><tr>${columns.map(({ title, kind }, i) =>
    kind === "bar" ? markup`<td></td>` : markup`<th scope="col"${kinds[i]!}>${title}</th>`,
  )}</tr></thead>
<tbody>${rows.map(
    (cells) => markup`<tr>${cells.map((cell, i) => tableCell(cell, kinds[i]!, columns[i]!.kind === "bar"))}</tr>\n`,
  )}</tbody></table></div>\n`;
}

const tableCell = (cell: Content, attributes: Content, isBar: boolean): Markup =>
  markup`<td${attributes}>${isBar ? bar(Number(cell)) : cell}</td>`;

const BAR_UNITS = 1000;
const barScale = scaleLinear([0, 1], [0, BAR_UNITS]).clamp(true);

function bar(share: number): Markup {
  const length = Math.round(barScale(share));
  return markup`<svg viewBox="0 0 ${BAR_UNITS} 10" preserveAspectRatio="none" aria-hidden="true"><rect class="f1" width="${length}" height="10" rx="2"/></svg>`;
}

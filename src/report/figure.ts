import { type Content, type Markup, markup } from "./markup.ts";
import { SERIES_COLOURS } from "./style.ts";

/** Widths for which every picture is drawn, in px: for a screen, and for a phone. */
export const WIDTHS = { wide: 900, narrow: 340 } as const;

/** What a figure is made of. */
export interface Figure {
  readonly title: string;
  readonly note?: Content;
  /** Names of the series, in the order of their colours; none where one needs no name. */
  readonly legend?: readonly string[];
  /** Draws the picture for a width in px, so that its text has the same size everywhere. */
  draw(width: number): Markup;
  /** The same numbers as text, for whoever cannot see the picture or wants them exact. */
  readonly table: Content;
}

/** A picture with its title, its legend and the table behind it. */
export function figure({ title, note, legend = [], draw, table }: Figure): Markup {
  return markup`<figure><figcaption><strong>${title}</strong>${note === undefined ? null : markup`<p>${note}</p>`}</figcaption>
${legend.length === 0 ? null : markup`<ul class="legend">${legend.map((name, i) => markup`<li><i class="k${colourOf(i)}"></i>${name}</li>`)}</ul>`}
<div class="wide">${draw(WIDTHS.wide)}</div><div class="narrow">${draw(WIDTHS.narrow)}</div>
<details><summary>The numbers</summary>${table}</details></figure>\n`;
}

/** Number of the colour of a series, from 1; those beyond the last colour share it. */
export const colourOf = (index: number): number => Math.min(index + 1, SERIES_COLOURS);

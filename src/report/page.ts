import { type Content, Markup, markup } from "./markup.ts";
import { pageStyle } from "./style.ts";

/** What a page is made of. */
export interface Page {
  readonly title: string;
  /** A line below the title: what was looked at. */
  readonly subtitle: Content;
  readonly body: Content;
  /** What the page was made by and from, at its end. */
  readonly footer: Content;
}

/**
 * A whole page as one file: styles and pictures within, no script, nothing that is fetched (the policy in its head makes the
 * browser refuse it, too). Light or dark as the reader's system is, light in print.
 */
export function page({ title, subtitle, body, footer }: Page): string {
  return markup`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${new Markup(pageStyle())}</style>
</head>
<body>
<main>
<header><h1>${title.split(/(\d{4}-\d\d-\d\d)/).map((part, i) => (i % 2 === 1 ? markup`<span class="date">${part}</span>` : part))}</h1><p class="muted">${subtitle}</p></header>
${body}
<footer>${footer}</footer>
</main>
</body>
</html>
`.text;
}

/** A part of a page under its heading. */
export const section = (heading: string, ...contents: readonly Content[]): Markup =>
  markup`<section><h2>${heading}</h2>${contents}</section>\n`;

/** A figure to remember beside others: what it is, how much, and a word on it. */
export interface Tile {
  readonly label: string;
  readonly value: string;
  readonly note?: Content;
}

/** Figures side by side, as many in a row as have room. */
export const tiles = (list: readonly Tile[]): Markup =>
  markup`<div class="tiles">${list.map(
    ({ label, value, note }) => markup`<div><span>${label}</span><b>${value}</b><span>${note ?? null}</span></div>`,
  )}</div>\n`;

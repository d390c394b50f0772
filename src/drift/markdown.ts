import type { Block, BlockTable } from "./blocks.ts";

/** A comment of GitHub holds 65,536 characters. */
const MAX_ROWS = 50;

const SIGNS: Readonly<Record<string, string>> = { pass: "✅", warn: "⚠️", fail: "❌", "not comparable": "⛔" };

/** A comparison as a comment on a pull request, or a job's summary. */
export function comparisonMarkdown(
  title: string,
  verdict: string | null,
  facts: readonly string[],
  blocks: readonly Block[],
): string {
  const sign = verdict === null ? "" : `${SIGNS[verdict] ?? ""} `;
  const heading = `### ${sign}${markdownText(title)}${verdict === null ? "" : `: ${verdict}`}`;
  const parts = [heading, facts.map((fact) => `${markdownText(fact)}  `).join("\n"), ...blocks.flatMap(blockParts)];
  return `${parts.join("\n\n")}\n`;
}

function blockParts({ title, table, lines }: Block): string[] {
  const body = [...(table === null ? [] : [tableText(table)]), ...lines.map(markdownText)];
  return title === null ? body : [`**${markdownText(title)}**`, ...body];
}

function tableText({ columns, rows }: BlockTable): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const shown = rows.slice(0, MAX_ROWS).map((cells) => line(cells.map(markdownText)));
  const more = rows.length > shown.length ? [`\n… and ${rows.length - shown.length} more rows`] : [];
  return [
    line(columns.map(({ title }) => markdownText(title))),
    line(columns.map(({ kind }) => (kind === "number" ? "---:" : "---"))),
    ...shown,
    ...more,
  ].join("\n");
}

/** Whatever an id or a file's name holds, it is shown as it is: no markup, no mention of anybody, no other row. */
export function markdownText(text: string): string {
  return text.replace(/[^\p{L}\p{N} .,:;/+−–%()=±…-]|\n/gu, (character) => {
    const code = character.codePointAt(0)!;
    return code < 32 || code === 127 ? `\\u${code.toString(16).padStart(4, "0")}` : `&#${code};`;
  });
}

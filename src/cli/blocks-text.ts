import type { Block } from "../drift/blocks.ts";
import { type Paint, printable } from "./ansi.ts";
import { table } from "./table.ts";

/** Blocks for the terminal, an empty line between them. */
export function blocksText(blocks: readonly Block[], paint: Paint): string {
  return blocks.map((block) => `\n${blockText(block, paint)}`).join("");
}

function blockText({ title, table: rows, lines }: Block, paint: Paint): string {
  const columns = rows?.columns.map(({ title: name, kind }) => ({
    title: name,
    align: kind === "number" ? ("right" as const) : ("left" as const),
  }));
  return [
    ...(title === null ? [] : [`${title}\n`]),
    ...(rows === null
      ? []
      : [
          table(
            columns!,
            rows.rows.map((cells) => cells.map(printable)),
            paint,
          ),
        ]),
    ...lines.map((line) => `${printable(line)}\n`),
  ].join("");
}

import { diffBlocks } from "../diff/diff-blocks.ts";
import { diffFacts } from "../diff/diff-outputs.ts";
import type { DiffResult } from "../diff/diff-result.ts";
import { titleOf } from "../diff/words.ts";
import { type Paint, printable } from "./ansi.ts";
import { blocksText } from "./blocks-text.ts";

/** A comparison for people. */
export function diffText(result: DiffResult, paint: Paint): string {
  const facts = diffFacts(result).map((fact) => `${printable(fact)}\n`);
  return `${paint.bold(printable(titleOf(result)))}\n${facts.join("")}${blocksText(diffBlocks(result), paint)}`;
}

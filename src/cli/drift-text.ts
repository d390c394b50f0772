import { driftBlocks } from "../drift/drift-blocks.ts";
import { driftFacts } from "../drift/drift-outputs.ts";
import type { DriftResult } from "../drift/drift-result.ts";
import { reasonName } from "../drift/reason-words.ts";
import { signed, signedPercent, titleOf } from "../drift/words.ts";
import type { DriftHistory, PastDrift } from "../usecases/drift-history.ts";
import { type Paint, printable } from "./ansi.ts";
import { blocksText } from "./blocks-text.ts";
import { count } from "./format.ts";
import { type Column, table } from "./table.ts";

/** A comparison for people: the verdict, the thresholds, the reasons and the largest differences. */
export function driftText(result: DriftResult, paint: Paint): string {
  const facts = driftFacts(result).map((fact) => `${printable(fact)}\n`);
  const verdict = `verdict: ${painted(result.verdict, paint)}\n`;
  return `${paint.bold(titleOf(result))}\n${facts.join("")}${verdict}${blocksText(driftBlocks(result), paint)}`;
}

function painted(verdict: DriftResult["verdict"], paint: Paint): string {
  if (verdict === "pass") return verdict;
  return verdict === "warn" ? paint.yellow(verdict) : paint.red(verdict);
}

const left = (title: string): Column => ({ title, align: "left" });
const right = (title: string): Column => ({ title, align: "right" });

/** The comparisons so far, a line each, with the size of the drift drawn beside it. */
export function driftHistoryText({ comparisons, out }: DriftHistory, paint: Paint): string {
  if (comparisons.length === 0) return `no comparison so far in ${printable(out)}\n`;
  const most = Math.max(...comparisons.map((past) => Math.abs(past.totals?.share ?? 0)));
  const columns = [
    ...["day", "definition", "of", "verdict"].map(left),
    ...["compared", "over", "difference", "of offline"].map(right),
    left(""),
    left("first reason"),
  ];
  const rows = comparisons.map((past) => [
    past.at ?? past.day,
    `${past.metric}@${past.version}`,
    past.scope,
    past.verdict,
    count(past.compared),
    count(past.over),
    past.totals === null ? "–" : signed(past.totals.difference, past.scope === "users" ? "ms" : "users"),
    signedPercent(past.totals?.share ?? null),
    bar(past, most),
    past.reasons[0] ? reasonName(past.reasons[0].reason) : "",
  ]);
  return table(columns, rows, paint);
}

const BAR = 20;

const bar = ({ totals }: PastDrift, most: number): string =>
  totals?.share ? "█".repeat(Math.max(1, Math.round((Math.abs(totals.share) / most) * BAR))) : "";

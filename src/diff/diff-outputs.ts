import { blockSections, distributionFigure } from "../drift/comparison-page.ts";
import { junitXml } from "../drift/junit.ts";
import { comparisonMarkdown } from "../drift/markdown.ts";
import { brief, count, percent, signed, signedPercent } from "../drift/words.ts";
import { page, tiles } from "../report/page.ts";
import { diffBlocks } from "./diff-blocks.ts";
import type { DiffResult } from "./diff-result.ts";
import { sideName, sideSource, titleOf, usersLine } from "./words.ts";

/** What is compared, a line each. */
export const diffFacts = ({ base, head }: DiffResult): string[] => [
  `base: ${sideName(base)}, ${sideSource(base)}`,
  `head: ${sideName(head)}, ${sideSource(head)}`,
];

export const diffMarkdown = (result: DiffResult): string =>
  comparisonMarkdown(titleOf(result), result.gate?.verdict ?? null, diffFacts(result), diffBlocks(result));

/** One test case: whether the total has changed by more than it may, which without a limit it has not. */
export function diffJunit(result: DiffResult): string {
  const { gate, totals } = result;
  const limit = gate === null ? "no limit" : `at most ${percent(gate.limit)}`;
  const says = `${signed(totals.onlineMs.change, "ms")} (${signedPercent(totals.onlineMs.share)} of base, ${limit}); ${usersLine(result)}`;
  return junitXml(titleOf(result), [{ name: "change of the total", verdict: gate?.verdict ?? "pass", says }]);
}

/** A page of its own. `madeBy`: the tool and its version. */
export function diffPage(result: DiffResult, madeBy: string): string {
  const { totals, users, distribution, days } = result;
  const of = (part: number) =>
    users.compared === 0 ? null : `${percent(part / users.compared)} of ${count(users.compared)}`;
  return page({
    title: titleOf(result),
    subtitle: diffFacts(result).join(" · "),
    body: [
      tiles([
        {
          label: "change of online time",
          value: brief(totals.onlineMs.change, "ms", true),
          note: `${signedPercent(totals.onlineMs.share)} of base`,
        },
        { label: "users unchanged", value: count(users.unchanged), note: of(users.unchanged) },
        { label: "users grown", value: count(users.grown), note: of(users.grown) },
        { label: "users shrunk", value: count(users.shrunk), note: of(users.shrunk) },
      ]),
      users.compared === 0 ? null : distributionFigure("Users by change", distribution),
      ...blockSections(diffBlocks(result)),
    ],
    footer: `${madeBy}; ${days.length === 1 ? "1 day" : `${count(days.length)} days`} of ${result.zone}. Every percentage is of base.`,
  });
}

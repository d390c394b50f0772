import { figure } from "../report/figure.ts";
import { lineChart } from "../report/line-chart.ts";
import { type Markup, markup } from "../report/markup.ts";
import { page, tiles } from "../report/page.ts";
import { table } from "../report/table.ts";
import { blockSections, distributionFigure } from "./comparison-page.ts";
import { driftBlocks } from "./drift-blocks.ts";
import type { DriftResult, MinutePair } from "./drift-result.ts";
import { junitXml } from "./junit.ts";
import { comparisonMarkdown } from "./markdown.ts";
import { amount, brief, count, measured, percent, signedPercent, subjectsOf, titleOf } from "./words.ts";

/** What is compared, a line each. */
export const driftFacts = (result: DriftResult): string[] => [
  `realtime: ${result.realtime.file}`,
  `offline: ${result.out}, days of ${result.zone}`,
  ...(result.notComparable === null ? [] : [`not comparable: ${result.notComparable}`]),
];

export const driftMarkdown = (result: DriftResult): string =>
  comparisonMarkdown(titleOf(result), result.verdict, driftFacts(result), driftBlocks(result));

/** A test case for each threshold, or one that is an error where nothing can be compared. */
export function driftJunit(result: DriftResult): string {
  const { compared, notComparable } = result;
  const cases =
    compared === null
      ? [{ name: "comparable", verdict: "error" as const, says: `not comparable: ${notComparable}` }]
      : compared.gates.map((gate) => ({
          name: gate.says,
          verdict: gate.verdict,
          says: `${gate.says}: ${measured(gate)}`,
        }));
  return junitXml(titleOf(result), cases);
}

/** A page of its own. `madeBy`: the tool and its version. */
export function driftPage(result: DriftResult, madeBy: string): string {
  return page({
    title: titleOf(result),
    subtitle: driftFacts(result).join(" · "),
    body: [verdict(result), picture(result), ...blockSections(driftBlocks(result))],
    footer: `${madeBy}, compared ${result.comparedAt}; offline figures of run ${result.runId}. Every percentage is of the offline figure.`,
  });
}

const VERDICT_CLASS = { pass: "good", warn: "warn", fail: "bad", "not comparable": "bad" } as const;

function verdict({ verdict: found, notComparable, compared, scope }: DriftResult): Markup {
  const said = markup`<span class="${VERDICT_CLASS[found]}">${found}</span>`;
  const heading = markup`<p class="verdict"><strong>Verdict: ${said}</strong>${notComparable === null ? null : `: ${notComparable}`}</p>`;
  if (compared === null) return heading;
  const { totals, counts, unit } = compared;
  const of = (part: number) =>
    counts.compared === 0 ? null : `${percent(part / counts.compared)} of ${count(counts.compared)}`;
  return markup`${heading}${tiles([
    ...(totals === null
      ? []
      : [
          { label: "offline", value: brief(totals.offline, unit) },
          { label: "realtime", value: brief(totals.realtime, unit) },
          {
            label: "difference",
            value: brief(totals.difference, unit, true),
            note: `${signedPercent(totals.share)} of offline`,
          },
        ]),
    { label: `${subjectsOf(scope)} over`, value: count(counts.over), note: of(counts.over) },
    { label: `${subjectsOf(scope)} equal`, value: count(counts.equal), note: of(counts.equal) },
  ])}`;
}

function picture({ compared }: DriftResult): Markup | null {
  if (compared === null) return null;
  if (compared.distribution !== null) return distributionFigure("Users by difference", compared.distribution);
  return compared.minutes.length === 0 ? null : minutesFigure(compared.minutes);
}

const HOUR_MS = 3_600_000;

function minutesFigure(minutes: readonly MinutePair[]): Markup {
  const at = minutes.map(({ minute }) => Date.parse(minute));
  const hours = [...new Set(at.map((ms) => Math.ceil(ms / HOUR_MS) * HOUR_MS))].filter((ms) => ms <= at.at(-1)!);
  const differing = minutes.filter(({ offline, realtime }) => offline !== realtime).slice(0, 100);
  return figure({
    title: "Users online, by minute",
    note: "Hours are UTC.",
    legend: ["offline", "realtime"],
    draw: (width) =>
      lineChart(
        {
          says: "Users online by minute, offline and realtime",
          series: [
            minutes.map(({ offline }, i) => [at[i]!, offline] as const),
            minutes.map(({ realtime }, i) => [at[i]!, realtime] as const),
          ],
          x: [at[0]!, at.at(-1)!],
          xTicks: hours.map((ms) => ({ at: ms, label: new Date(ms).toISOString().slice(11, 16) })),
          formatY: count,
        },
        width,
      ),
    table: table(
      differing.length === 0 ? "No minute differs." : `The first ${differing.length} minutes that differ`,
      [{ title: "minute" }, { title: "offline", kind: "number" }, { title: "realtime", kind: "number" }],
      differing.map(({ minute, offline, realtime }) => [
        minute.slice(0, 16),
        count(offline),
        amount(realtime, "users"),
      ]),
    ),
  });
}

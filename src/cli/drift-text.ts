import type { DriftResult } from "../drift/drift-result.ts";
import { reasonName } from "../drift/reason-words.ts";
import type { Reason } from "../drift/reasons.ts";
import {
  amount,
  countsLine,
  leftAsideLines,
  percent,
  signed,
  signedPercent,
  subjectOf,
  subjectsOf,
  titleOf,
} from "../drift/words.ts";
import type { DriftHistory, PastDrift } from "../usecases/drift-history.ts";
import { type Paint, printable } from "./ansi.ts";
import { count, countOf } from "./format.ts";
import { type Column, table } from "./table.ts";

const left = (title: string): Column => ({ title, align: "left" });
const right = (title: string): Column => ({ title, align: "right" });

/** A comparison for people: the verdict, the thresholds, and the largest differences. */
export function driftText(result: DriftResult, paint: Paint): string {
  const head = [
    paint.bold(titleOf(result)),
    `realtime: ${printable(result.realtime.file)}`,
    `offline:  ${printable(result.out)}, days of ${result.zone}`,
    `verdict:  ${painted(result.verdict, paint)}${result.notComparable === null ? "" : `: ${result.notComparable}`}`,
  ];
  const notes = [...leftAsideLines(result), ...result.notes].map(printable);
  if (result.compared === null) return lines([...head, ...notes]);
  return `${lines([...head, ""])}${figures(result, paint)}\n${thresholds(result, paint)}${worst(result, paint)}${reasons(result, paint)}${lines(notes)}`;
}

const lines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join("");

function painted(verdict: DriftResult["verdict"], paint: Paint): string {
  if (verdict === "pass") return verdict;
  return verdict === "warn" ? paint.yellow(verdict) : paint.red(verdict);
}

function figures(result: DriftResult, paint: Paint): string {
  const { totals, unit } = result.compared!;
  const counted = `${countsLine(result)}\n`;
  if (totals === null) return counted;
  const what = unit === "ms" ? "h:mm:ss" : result.scope === "minutes" ? "users by minute" : "users";
  const columns = [left("total"), right("offline"), right("realtime"), right("difference"), right("of offline")];
  const { offline, realtime, difference, share } = totals;
  const cells = [what, amount(offline, unit), amount(realtime, unit), signed(difference, unit), signedPercent(share)];
  return `${table(columns, [cells], paint)}${counted}`;
}

function thresholds({ compared }: DriftResult, paint: Paint): string {
  const columns = [left("threshold"), right("measured"), right("at most"), left("verdict")];
  const rows = compared!.gates.map(({ says, measured, limit, verdict }) => [
    says,
    measured === null ? "all" : percent(measured),
    percent(limit),
    verdict,
  ]);
  return table(columns, rows, paint);
}

function worst({ scope, compared }: DriftResult, paint: Paint): string {
  const { worst, unit, counts } = compared!;
  if (worst.length === 0) return "";
  const differing = counts.compared - counts.equal;
  const title = worst.length < differing ? `\nthe ${worst.length} largest of ${count(differing)} differences\n` : "\n";
  const columns = [
    left(subjectsOf(scope)),
    ...["offline", "realtime", "difference", "of offline"].map(right),
    left(""),
  ];
  const rows = worst.map((each) => [
    printable(subjectOf(each, scope)),
    amount(each.offline, unit),
    amount(each.realtime, unit),
    signed(each.difference, unit),
    signedPercent(each.share),
    each.over ? "over" : "",
  ]);
  return `${title}${table(columns, rows, paint)}`;
}

/** What counting again with one correction left out at a time has found. */
function reasons({ reasons, compared }: DriftResult, paint: Paint): string {
  if (reasons === null) return "";
  const { total, users, notes } = reasons;
  const all = total.users === total.differing;
  const who = all
    ? `all ${countOf(total.users, "user")} that differ`
    : `a sample of ${count(total.users)} of ${count(total.differing)} that differ`;
  const title = `\nreasons for the total, from ${who} (shares need not add up)\n`;
  const worst = compared!.worst.flatMap(({ subject }) => {
    const found = users.find(({ userId }) => userId === subject);
    return found ? [`${printable(subject)}: ${firstReason(found.reasons)}`] : [];
  });
  return `${title}${reasonTable(total.reasons, paint)}\nfirst reason of each of the worst users\n${lines(worst)}${lines(notes.map((note) => `note: ${note}`))}`;
}

const NO_REASON = "none of the known ones makes the difference smaller";

const firstReason = ([first]: readonly Reason[]): string =>
  first ? `${reasonName(first.reason)} (${percent(first.share)}): ${first.says}` : NO_REASON;

function reasonTable(found: readonly Reason[], paint: Paint): string {
  if (found.length === 0) return `${NO_REASON}\n`;
  const columns = [left("left out, or done"), right("explains h:mm:ss"), right("share"), left("what it does")];
  const rows = found.map(({ reason, says, explainedMs, share }) => [
    ...[reasonName(reason), amount(explainedMs, "ms"), percent(share), says],
  ]);
  return table(columns, rows, paint);
}

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

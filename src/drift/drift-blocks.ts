import { type Block, idColumn, linesBlock, numberColumn, proseColumn, tableBlock, textColumn } from "./blocks.ts";
import type { DriftResult } from "./drift-result.ts";
import { reasonName } from "./reason-words.ts";
import type { Reason } from "./reasons.ts";
import {
  amount,
  count,
  countOf,
  countsLine,
  leftAsideLines,
  percent,
  signed,
  signedPercent,
  subjectOf,
  subjectsOf,
} from "./words.ts";

const AMOUNTS = ["offline", "realtime", "difference", "of offline"].map(numberColumn);

/** All that a comparison tells, in the order of its weight. */
export function driftBlocks(result: DriftResult): Block[] {
  const notes = linesBlock(null, [...leftAsideLines(result), ...result.notes]);
  if (result.compared === null) return notes;
  return [...totals(result), ...thresholds(result), ...reasons(result), ...worst(result), ...notes];
}

function totals(result: DriftResult): Block[] {
  const { totals: all, unit } = result.compared!;
  const counted = [countsLine(result)];
  if (all === null) return linesBlock(null, counted);
  const what = unit === "ms" ? "h:mm:ss" : result.scope === "minutes" ? "users by minute" : "users";
  const cells = [amount(all.offline, unit), amount(all.realtime, unit), signed(all.difference, unit)];
  return tableBlock(null, [textColumn("total"), ...AMOUNTS], [[what, ...cells, signedPercent(all.share)]], counted);
}

function thresholds({ compared }: DriftResult): Block[] {
  const columns = [proseColumn("threshold"), numberColumn("measured"), numberColumn("at most"), textColumn("verdict")];
  const rows = compared!.gates.map(({ says, measured, limit, verdict }) => [
    ...[says, measured === null ? "all" : percent(measured), percent(limit), verdict],
  ]);
  return tableBlock(null, columns, rows);
}

function worst({ scope, compared, reasons: found }: DriftResult): Block[] {
  const { worst: all, unit, counts } = compared!;
  const differing = counts.compared - counts.equal;
  const title = all.length < differing ? `The ${all.length} largest of ${count(differing)} differences` : "Differences";
  const first = new Map(found?.users.map(({ userId, reasons: own }) => [userId, firstReason(own)]));
  const columns = [idColumn(subjectsOf(scope)), ...AMOUNTS, textColumn("counts as")];
  const rows = all.map((each) => [
    ...[subjectOf(each, scope), amount(each.offline, unit), amount(each.realtime, unit)],
    ...[signed(each.difference, unit), signedPercent(each.share), each.over ? "over" : ""],
    ...(found === null ? [] : [first.get(each.subject) ?? ""]),
  ]);
  return tableBlock(title, [...columns, ...(found === null ? [] : [proseColumn("first reason")])], rows);
}

/** What counting again with one correction left out at a time has found. */
function reasons({ reasons: found }: DriftResult): Block[] {
  if (found === null) return [];
  const { total, notes } = found;
  const all = total.users === total.differing;
  const who = all
    ? `all that differ, ${countOf(total.users, "users")}`
    : `a sample of ${count(total.users)} of the ${count(total.differing)} users that differ`;
  const columns = [
    ...[textColumn("left out, or done"), numberColumn("explains h:mm:ss"), numberColumn("share")],
    proseColumn("what it does"),
  ];
  const rows = total.reasons.map(({ reason, says, explainedMs, share }) => [
    ...[reasonName(reason), amount(explainedMs, "ms"), percent(share), says],
  ]);
  const lines = rows.length === 0 ? [NO_REASON, ...notes] : notes;
  return tableBlock(`Reasons, from ${who} (shares need not add up)`, columns, rows, lines);
}

const NO_REASON = "none of the known ones makes the difference smaller";

const firstReason = ([first]: readonly Reason[]): string =>
  first ? `${reasonName(first.reason)} (${percent(first.share)})` : NO_REASON;

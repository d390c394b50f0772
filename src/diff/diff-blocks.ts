import { type Block, idColumn, linesBlock, numberColumn, tableBlock, textColumn } from "../drift/blocks.ts";
import { classNames } from "../drift/comparison-page.ts";
import { amount, count, percent, signed, signedPercent } from "../drift/words.ts";
import type { DiffResult } from "./diff-result.ts";
import { TOTALS, usersLine } from "./words.ts";

const AMOUNTS = ["base", "head", "change", "of base"].map(numberColumn);

/** Values of one dimension that are shown. */
const VALUES_SHOWN = 5;

/** All that a comparison tells, in the order of its weight. */
export function diffBlocks(result: DiffResult): Block[] {
  return [
    ...totals(result),
    ...distribution(result),
    ...dimensions(result),
    ...movers(result),
    ...linesBlock(null, result.notes),
  ];
}

function totals(result: DiffResult): Block[] {
  const rows = TOTALS.map(([name, key, unit]) => {
    const { base, head, change, share } = result.totals[key];
    return [name, amount(base, unit), amount(head, unit), signed(change, unit), signedPercent(share)];
  });
  return tableBlock(null, [textColumn("total"), ...AMOUNTS], rows, [usersLine(result)]);
}

function distribution(result: DiffResult): Block[] {
  const { classes, percentiles } = result.distribution;
  const { compared } = result.users;
  if (compared === 0) return [];
  const names = classNames(result.distribution);
  const rows = classes.flatMap(({ rows: users }, i) =>
    users === 0 ? [] : [[names[i]!, count(users), percent(users / compared)]],
  );
  const { p1Ms, p10Ms, p50Ms, p90Ms, p99Ms } = percentiles;
  const of = [p1Ms, p10Ms, p50Ms, p90Ms, p99Ms].map((ms) => signed(ms!, "ms"));
  const columns = [textColumn("change of a user"), numberColumn("users"), numberColumn("of all")];
  return tableBlock("Users by change", columns, rows, [`percentiles 1, 10, 50, 90 and 99: ${of.join(", ")}`]);
}

function dimensions({ dimensions: all }: DiffResult): Block[] {
  const names = [...new Set(all.map(({ dimension }) => dimension))];
  return names.flatMap((name) => {
    const own = all.filter(({ dimension }) => dimension === name);
    const rows = own
      .slice(0, VALUES_SHOWN)
      .map(({ value, base, head, change, share }) => [
        ...[value ?? "(unknown)", amount(base, "ms"), amount(head, "ms"), signed(change, "ms"), signedPercent(share)],
      ]);
    const more = own.length - rows.length;
    const lines = more > 0 ? [`and ${count(more)} more, with smaller changes`] : [];
    return tableBlock(`By ${name}`, [idColumn(name), ...AMOUNTS], rows, lines);
  });
}

function movers({ movers: all, users }: DiffResult): Block[] {
  const changed = users.grown + users.shrunk;
  const title = all.length < changed ? `The ${all.length} largest of ${count(changed)} changes` : "Changes";
  const rows = all.map(({ userId, baseMs, headMs, changeMs, share }) => [
    ...[userId, amount(baseMs, "ms"), amount(headMs, "ms"), signed(changeMs, "ms"), signedPercent(share)],
  ]);
  return tableBlock(title, [idColumn("user"), ...AMOUNTS], rows);
}

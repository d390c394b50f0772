import { columnChart } from "../report/column-chart.ts";
import { figure } from "../report/figure.ts";
import { type Content, type Markup, markup } from "../report/markup.ts";
import { section } from "../report/page.ts";
import { table } from "../report/table.ts";
import type { Block } from "./blocks.ts";
import type { Distribution } from "./distribution.ts";
import { amount, count, percent, signed } from "./words.ts";

/** Parts of the page of a comparison, be it of realtime with offline or of two definitions. */

/** Columns from which on rows are lists on a phone. */
const STACKED_FROM = 4;

export const blockSections = (blocks: readonly Block[]): Markup[] =>
  blocks.map(({ title, table: rows, lines }) => {
    const body: Content = [
      rows === null ? null : table(null, rows.columns, rows.rows, { stacked: rows.columns.length >= STACKED_FROM }),
      lines.map((line) => markup`<p class="muted small">${line}</p>`),
    ];
    return title === null ? markup`${body}` : section(title, body);
  });

/** Names of the classes of a distribution, from the largest decrease to the largest increase. */
export function classNames({ classes }: Distribution): string[] {
  return classes.map(({ sign, aboveMs, uptoMs }) => {
    if (sign === 0) return uptoMs === 0 ? "equal" : `equal (±${amount(uptoMs, "ms")})`;
    if (uptoMs === null) return `beyond ${signed(sign * aboveMs, "ms")}`;
    return `${aboveMs === 0 ? "0" : signed(sign * aboveMs, "ms")} to ${signed(sign * uptoMs, "ms")}`;
  });
}

/** How many users differ by how much, as columns. */
export function distributionFigure(title: string, distribution: Distribution): Markup {
  const names = classNames(distribution);
  const { classes, percentiles } = distribution;
  const users = classes.reduce((sum, { rows }) => sum + rows, 0);
  const numbers = classes.map(({ rows }, i) => [names[i]!, count(rows), users === 0 ? "–" : percent(rows / users)]);
  const columns = [{ title: "by" }, { title: "users", kind: "number" }, { title: "of all", kind: "number" }] as const;
  const { p1Ms, p50Ms, p99Ms } = percentiles;
  const note =
    p1Ms === null
      ? null
      : `Percentiles 1, 50 and 99: ${[p1Ms, p50Ms!, p99Ms!].map((ms) => signed(ms, "ms")).join(", ")}`;
  return figure({
    title,
    ...(note === null ? {} : { note }),
    draw: (width) =>
      columnChart(
        {
          says: `${title}: ${numbers.map(([name, rows]) => `${name}: ${rows}`).join("; ")}`,
          columns: classes.map(({ rows, sign, uptoMs, aboveMs }) => ({
            label: sign === 0 ? "0" : shortLabel(sign, uptoMs, aboveMs),
            parts: [rows],
          })),
          formatY: count,
        },
        width,
      ),
    table: table(null, columns, numbers),
  });
}

/** `−15m`: the end of a class that is further from 0. */
function shortLabel(sign: number, uptoMs: number | null, aboveMs: number): string {
  const minutes = (uptoMs ?? aboveMs) / 60_000;
  const size = minutes >= 60 ? `${minutes / 60}h` : `${Math.round(minutes)}m`;
  return `${uptoMs === null ? (sign < 0 ? "<" : ">") : ""}${sign < 0 ? "−" : "+"}${size}`;
}

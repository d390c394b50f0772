import { scaleBand } from "d3-scale";
import { stack } from "d3-shape";
import { chartFrame, picture, px } from "./chart-frame.ts";
import { colourOf } from "./figure.ts";
import { type Markup, markup } from "./markup.ts";

/** One column; `parts` are stacked, in the order of the series. */
export interface ChartColumn {
  readonly label: string;
  readonly parts: readonly number[];
}

/** Columns side by side. */
export interface ColumnChart {
  /** What the picture shows, in words. */
  readonly says: string;
  readonly columns: readonly ChartColumn[];
  readonly formatY: (value: number) => string;
}

/** Columns side by side, such as a histogram, or amounts by hour made up of parts. */
export function columnChart({ says, columns, formatY }: ColumnChart, width: number): Markup {
  const places = columns.map((_, i) => i);
  const sums = columns.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0));
  const frame = chartFrame(
    {
      x: [-0.5, columns.length - 0.5],
      y: sums,
      xTicks: columns.map(({ label }, at) => ({ at, label })),
      formatY,
    },
    width,
  );
  const { y, left, right } = frame;
  const band = scaleBand(places, [left, width - right])
    .paddingInner(0.14)
    .paddingOuter(0.07);
  const keys = (columns[0]?.parts ?? []).map((_, i) => i);
  const layers = stack<ChartColumn, number>()
    .keys(keys)
    .value(({ parts }, key) => parts[key] ?? 0)([...columns]);
  return picture(
    frame,
    says,
    frame.axes,
    layers.map((layer, i) =>
      layer.map(([from, to], place) =>
        to > from
          ? markup`<rect class="f${colourOf(i)}" x="${px(band(place)!)}" y="${px(y(to))}" width="${px(band.bandwidth())}" height="${px(Math.max(y(from) - y(to), 0.6))}"/>`
          : null,
      ),
    ),
  );
}

import { area, line } from "d3-shape";
import { type Axes, chartFrame, picture, px, textWidth } from "./chart-frame.ts";
import { colourOf } from "./figure.ts";
import { Markup, markup } from "./markup.ts";

/** `[x, y]`; y is null where it is not known, which is drawn as a gap. */
export type Point = readonly [x: number, y: number | null];

/** Curves, and what is marked beside them. */
export interface LineChart extends Omit<Axes, "y"> {
  /** What the picture shows, in words. */
  readonly says: string;
  readonly series: readonly (readonly Point[])[];
  /** A point worth a word, on the first series. */
  readonly mark?: { readonly x: number; readonly y: number; readonly label: string } | null;
  /** Draws the points themselves, too: where there are few. */
  readonly dots?: boolean;
  /** Where nothing is known: shaded. */
  readonly gaps?: readonly (readonly [from: number, to: number])[];
}

/** Curves over a common x; the first one stands on its surface. */
export function lineChart(chart: LineChart, width: number): Markup {
  const { series, mark, gaps = [], says, dots = false } = chart;
  const values = series.flatMap((points) => points.flatMap(([, y]) => (y === null ? [] : [y])));
  const frame = chartFrame({ ...chart, y: values }, width);
  const { x, y, top, bottom } = frame;
  const curve = line<Point>(
    ([at]) => x(at),
    ([, value]) => y(value!),
  )
    .defined(isKnown)
    .digits(1);
  const surface = area<Point>(
    ([at]) => x(at),
    y(0),
    ([, value]) => y(value!),
  )
    .defined(isKnown)
    .digits(1);
  const dot =
    (i: number) =>
    ([at, value]: Point) =>
      value === null
        ? null
        : markup`<circle class="dot f${colourOf(i)}" cx="${px(x(at))}" cy="${px(y(value))}" r="4"/>`;
  return picture(
    frame,
    says,
    gaps.map(
      ([from, to]) =>
        markup`<rect class="gone" x="${px(x(from))}" y="${top}" width="${px(x(to) - x(from))}" height="${bottom - top}"/>`,
    ),
    frame.axes,
    series.map((points, i) => {
      const shape = new Markup(curve(points) ?? "");
      const ground = i === 0 ? markup`<path class="surface f1" d="${new Markup(surface(points) ?? "")}"/>` : null;
      return markup`${ground}<path class="curve s${colourOf(i)}" d="${shape}"/>${dots ? points.map(dot(i)) : null}`;
    }),
    mark ? marked(mark, frame) : null,
  );
}

const isKnown = ([, value]: Point): boolean => value !== null;

/** The word stands above the curves, so that it covers none of them. */
function marked(
  mark: NonNullable<LineChart["mark"]>,
  { x, y, top, left, width, right }: ReturnType<typeof chartFrame>,
) {
  const [atX, atY] = [px(x(mark.x)), px(y(mark.y))];
  const half = textWidth(mark.label) / 2;
  const textX = Math.min(Math.max(atX, left + half), width - right - half);
  return markup`<path class="leader" d="M${atX},${top - 6}V${px(atY - 5)}"/><circle class="dot f1" cx="${atX}" cy="${atY}" r="4.5"/><text class="strong" x="${px(textX)}" y="${top - 11}" text-anchor="middle">${mark.label}</text>`;
}

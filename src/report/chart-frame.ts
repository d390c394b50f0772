import { type ScaleLinear, scaleLinear } from "d3-scale";
import { type Content, type Markup, markup } from "./markup.ts";

/** A place on an axis that has a name. */
export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** What a chart's axes show. */
export interface Axes {
  readonly x: readonly [from: number, to: number];
  /** Values to show; the axis begins at 0 or below and ends at a round number. */
  readonly y: readonly number[];
  /** From left to right; as many are named as have room. */
  readonly xTicks: readonly Tick[];
  readonly formatY: (value: number) => string;
}

/** Where a chart's values lie on the picture, in px, and the picture's frame. */
export interface Frame {
  readonly x: ScaleLinear<number, number>;
  readonly y: ScaleLinear<number, number>;
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Grid, axis and their names. */
  readonly axes: Markup;
}

const CHARACTER_PX = 7;
const BOTTOM_PX = 28;
const TOP_PX = 28;

/** What a text of 12 px takes at most, in px. */
export const textWidth = (text: string): number => text.length * CHARACTER_PX;

/** Scales and axes for a chart of that width. */
export function chartFrame({ x: xs, y: values, xTicks, formatY }: Axes, width: number): Frame {
  const height = width < 500 ? 210 : 280;
  const domain = scaleLinear([Math.min(0, ...values), Math.max(0, ...values) || 1], [0, 1]).nice(5);
  const yTicks = domain.ticks(width < 500 ? 4 : 5);
  const left = Math.max(...yTicks.map((tick) => textWidth(formatY(tick)))) + 10;
  const right = 12;
  const y = scaleLinear(domain.domain(), [height - BOTTOM_PX, TOP_PX]);
  const x = scaleLinear(xs, [left, width - right]);
  const named = thinned(xTicks, x, left, width);
  const axes = markup`<g>${yTicks.map(
    (tick) =>
      markup`<path class="${tick === 0 ? "axis" : "grid"}" d="M${left},${px(y(tick))}H${width - right}"/><text x="${left - 8}" y="${px(y(tick) + 4)}" text-anchor="end">${formatY(tick)}</text>`,
  )}${named.map(
    ({ at, label }) =>
      markup`<path class="axis" d="M${px(x(at))},${height - BOTTOM_PX}v5"/><text x="${px(x(at))}" y="${height - 8}" text-anchor="middle">${label}</text>`,
  )}</g>`;
  return { x, y, width, height, left, right, top: TOP_PX, bottom: height - BOTTOM_PX, axes };
}

/** The most ticks that have room: every one, every second, …, each within the picture. */
function thinned(ticks: readonly Tick[], x: (at: number) => number, left: number, width: number): Tick[] {
  const longest = Math.max(0, ...ticks.map(({ label }) => textWidth(label))) + 12;
  const [first, second] = [ticks[0], ticks[1]];
  const step = first && second ? Math.abs(x(second.at) - x(first.at)) : width;
  const every = Math.max(1, Math.ceil(longest / Math.max(step, 0.01)));
  return ticks.filter(({ at, label }, i) => {
    const half = textWidth(label) / 2;
    return i % every === 0 && x(at) >= left - 1 && x(at) - half >= 0 && x(at) + half <= width + 4;
  });
}

/** The whole picture; `says` is what it shows, for whoever hears the page. */
export const picture = (
  { width, height }: Pick<Frame, "width" | "height">,
  says: string,
  ...parts: Content[]
): Markup =>
  markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${says}">${parts}</svg>`;

/** A coordinate, to a tenth of a px. */
export const px = (value: number): number => Math.round(value * 10) / 10;

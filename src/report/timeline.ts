import { zoneClock } from "../explain/clock.ts";
import type { Interval } from "../explain/explained-definition.ts";
import type { Explanation } from "../explain/explanation.ts";
import { type BrokenScale, brokenScale, brokenTicks } from "./broken-scale.ts";
import { picture, px, textWidth } from "./chart-frame.ts";
import { type Content, type Markup, markup } from "./markup.ts";
import { COUNTS, type Lane, lanesOf, type Mark, sumSays } from "./timeline-lanes.ts";
import { legend, STATE_COLOURS } from "./timeline-legend.ts";
import { span } from "./words.ts";

const SIDE_PX = 10;
const TITLE_PX = 17;
const MARKS_PX = 16;
const BAND_PX = 8;
const BAND_GAP_PX = 2;
const COUNT_PX = 11;
const WORDS_PX = 15;
const LANE_GAP_PX = 14;
const AXIS_PX = 26;
/** Room around what happens, so that a mark at an edge is whole. */
const PAD_SHARE = 0.01;

/** A user's day under one definition: a lane for each session, what counts of all of them below, and the clock. */
export function timeline(explanation: Explanation, metricNo: number, width: number): Markup {
  const clock = zoneClock(explanation.zone, explanation.readMs);
  const lanes = lanesOf(explanation, metricNo, clock);
  const definition = explanation.definitions[metricNo]!;
  const busy = busyTimes(lanes, definition.intervals);
  const wide = width >= 500;
  const scale = brokenScale(
    busy.length > 0 ? busy : [explanation.dayMs],
    [SIDE_PX, width - SIDE_PX],
    wide ? { breaks: 12, breakPx: 46 } : { breaks: 3, breakPx: 34 },
  );
  const key = legend(lanes, width - 2 * SIDE_PX);
  const parts: Content[] = [];
  let at = key.height + 8;
  const top = at;
  for (const lane of lanes) {
    const drawn = drawLane(lane, scale, at, width);
    parts.push(drawn.markup);
    at += drawn.height + LANE_GAP_PX;
  }
  const sum = drawSum(sumSays(definition), definition.intervals, scale, at, width);
  parts.push(sum.markup);
  at += sum.height;
  const frame = markup`${breaksOf(scale, top, at)}${axis(explanation, scale, at, width)}`;
  return picture(
    { width, height: at + AXIS_PX },
    `${explanation.day} of user ${explanation.userId}: ${sumSays(definition)}`,
    key.markup,
    frame,
    parts,
    edgesOf(explanation, scale, top, at),
  );
}

function busyTimes(lanes: readonly Lane[], intervals: readonly Interval[]): Interval[] {
  const times = [
    ...lanes.flatMap(({ bands }) => bands.flatMap((band) => band.intervals)),
    ...lanes.flatMap(({ marks }) => marks.map(({ atMs }) => ({ startMs: atMs, endMs: atMs + 1 }))),
    ...intervals,
  ];
  const [from, to] = [Math.min(...times.map(({ startMs }) => startMs)), Math.max(...times.map(({ endMs }) => endMs))];
  const pad = Math.max(1_000, times.reduce((sum, { startMs, endMs }) => Math.max(sum, endMs - startMs), 0) * PAD_SHARE);
  return times.map(({ startMs, endMs }) => ({
    startMs: Math.max(from, startMs - pad),
    endMs: Math.min(to, endMs + pad),
  }));
}

interface Drawn {
  readonly markup: Markup;
  readonly height: number;
}

function drawLane(lane: Lane, scale: BrokenScale, top: number, width: number): Drawn {
  let at = top + TITLE_PX + MARKS_PX;
  const bands = lane.bands.map(({ name, intervals }) => {
    const height = name === COUNTS ? COUNT_PX : BAND_PX;
    const drawn = intervals.map((interval) => bar(interval, scale, at, height, STATE_COLOURS.get(name) ?? "f4"));
    const ground = markup`<rect class="lane" x="${SIDE_PX}" y="${at}" width="${width - 2 * SIDE_PX}" height="${height}"/>`;
    at += height + BAND_GAP_PX;
    return [ground, drawn];
  });
  const words = silenceWords(lane, scale, at + 11);
  const title = lane.note === null ? lane.title : `${lane.title}: ${lane.note}`;
  return {
    markup: markup`<g><text class="strong" x="${SIDE_PX}" y="${top + 12}">${shortened(title, width - 2 * SIDE_PX)}<title>${title}</title></text>${bands}${marksOf(lane.marks, scale, top + TITLE_PX + MARKS_PX / 2)}${words}</g>`,
    height: at - top + (words.length > 0 ? WORDS_PX : 0),
  };
}

function bar({ startMs, endMs }: Interval, scale: BrokenScale, y: number, height: number, colour: string): Markup {
  const [from, to] = [scale(startMs), scale(endMs)];
  return markup`<rect class="${colour}" x="${px(from)}" y="${y}" width="${px(Math.max(to - from, 1))}" height="${height}"/>`;
}

/** Marks that would lie on one another are drawn once; rejected events come last, on top, and each of them is drawn. */
function marksOf(marks: readonly Mark[], scale: BrokenScale, y: number): Markup[] {
  const sorted = [...marks].sort(
    (a, b) => Number(a.kind === "quarantined") - Number(b.kind === "quarantined") || a.atMs - b.atMs,
  );
  const last = new Map<Mark["kind"], number>();
  return sorted.flatMap(({ atMs, kind, says }) => {
    const x = px(scale(atMs));
    if (x - (last.get(kind) ?? Number.NEGATIVE_INFINITY) < (kind === "quarantined" ? 0.5 : 2)) return [];
    last.set(kind, x);
    return [markup`<path class="mark ${kind}" d="${SHAPES[kind](x, y)}"><title>${says}</title></path>`];
  });
}

const SHAPES: Readonly<Record<Mark["kind"], (x: number, y: number) => string>> = {
  event: (x, y) => `M${x},${y - 5}V${y + 5}`,
  moved: (x, y) => `M${x + 4},${y - 4}L${x - 2},${y}L${x + 4},${y + 4}Z`,
  timeout: (x, y) => `M${x - 4},${y - 4}H${x + 4}L${x},${y + 4}Z`,
  quarantined: (x, y) => `M${x - 4},${y - 4}L${x + 4},${y + 4}M${x - 4},${y + 4}L${x + 4},${y - 4}`,
};

/** What long silences earned, where there is room for the words, the longest silences first. */
function silenceWords({ silences }: Lane, scale: BrokenScale, y: number): Markup[] {
  const taken: [number, number][] = [];
  return [...silences]
    .sort((a, b) => b.endMs - b.startMs - (a.endMs - a.startMs))
    .flatMap(({ startMs, endMs, earnedMs }) => {
      const says = `${span(earnedMs)} of ${span(endMs - startMs + earnedMs)}`;
      const [from, to] = [scale(startMs), scale(endMs)];
      const half = textWidth(says) / 2;
      const x = (from + to) / 2;
      const [left, right] = [Math.min(from, x - half), Math.max(to, x + half)];
      const edge = scale.stretches.at(-1)!.toX + SIDE_PX;
      if (x - half < 0 || x + half > edge || taken.some(([a, b]) => left < b + 6 && right > a - 6)) return [];
      taken.push([left, right]);
      return [
        markup`<path class="silence" d="M${px(from)},${y - 9}H${px(to)}"/><text class="halo" x="${px(x)}" y="${y + 3}" text-anchor="middle">${says}<title>${`Silent for ${span(endMs - startMs + earnedMs)}, of which ${span(earnedMs)} count`}</title></text>`,
      ];
    });
}

function drawSum(says: string, intervals: readonly Interval[], scale: BrokenScale, top: number, width: number): Drawn {
  const y = top + TITLE_PX + 2;
  const ground = markup`<rect class="lane" x="${SIDE_PX}" y="${y}" width="${width - 2 * SIDE_PX}" height="16"/>`;
  return {
    markup: markup`<g><text class="strong" x="${SIDE_PX}" y="${top + 12}">${shortened(says, width - 2 * SIDE_PX)}</text>${ground}${intervals.map((interval) => bar(interval, scale, y, 16, "f1"))}</g>`,
    height: TITLE_PX + 24,
  };
}

/** White over everything, with the length of what is cut out. */
function breaksOf({ stretches }: BrokenScale, top: number, bottom: number): Markup[] {
  return stretches.slice(1).map(({ fromX, startMs }, i) => {
    const { toX, endMs } = stretches[i]!;
    const middle = (toX + fromX) / 2;
    const says = short(startMs - endMs);
    return markup`<path class="break" d="M${px(middle)},${top}V${bottom}"/><text class="small" x="${px(middle)}" y="${bottom + 19}" text-anchor="middle">${says}<title>${`${span(startMs - endMs)} left out`}</title></text>`;
  });
}

/** `2 h`, `11 min`: to the unit only. */
const short = (ms: number): string =>
  ms >= 3_600_000
    ? `${Math.round(ms / 3_600_000)} h`
    : ms >= 60_000
      ? `${Math.round(ms / 60_000)} m`
      : `${Math.round(ms / 1_000)} s`;

/** Where the business day begins and ends, if that is drawn. */
function edgesOf({ dayMs, day }: Explanation, scale: BrokenScale, top: number, bottom: number): Markup[] {
  return (
    [
      [dayMs.startMs, "begins"],
      [dayMs.endMs, "ends"],
    ] as const
  ).flatMap(([edge, what]) =>
    scale.stretches.some(({ startMs, endMs }) => startMs < edge && edge < endMs)
      ? [
          markup`<path class="edge" d="M${px(scale(edge))},${top}V${bottom + 4}"><title>${`${day} ${what}`}</title></path>`,
        ]
      : [],
  );
}

/** Names of instants below, never on one another nor on what a break says. */
function axis({ zone, dayMs, readMs }: Explanation, scale: BrokenScale, y: number, width: number): Markup {
  const clock = zoneClock(zone, readMs);
  const ticks = brokenTicks(scale, dayMs.startMs, 62);
  const withSeconds = ticks.some((at) => at % 60_000 !== 0);
  const clear = scale.stretches.slice(1).map(({ fromX }, i) => (scale.stretches[i]!.toX + fromX) / 2);
  let last = Number.NEGATIVE_INFINITY;
  const names = ticks.map((at) => {
    const x = scale(at);
    const name = clock.time(at).slice("07-29 ".length, "07-29 ".length + (withSeconds ? 8 : 5));
    const half = textWidth(name) / 2;
    const fits =
      x - half > last + 6 &&
      x - half >= 0 &&
      x + half <= width &&
      !clear.some((middle) => Math.abs(middle - x) < half + 16);
    if (fits) last = x + half;
    return markup`<path class="axis" d="M${px(x)},${y}v4"/>${fits ? markup`<text x="${px(x)}" y="${y + 19}" text-anchor="middle">${name}</text>` : null}`;
  });
  return markup`<g>${scale.stretches.map(({ fromX, toX }) => markup`<path class="axis" d="M${px(fromX)},${y}H${px(toX)}"/>`)}${names}</g>`;
}

/** As much of a text as has room: what stands before a colon, if that suffices. */
function shortened(text: string, width: number): string {
  const most = Math.floor(width / 7.4);
  if (text.length <= most) return text;
  const [head = ""] = text.split(": ");
  return head.length <= most ? head : `${text.slice(0, most - 1)}…`;
}

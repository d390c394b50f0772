import { textWidth } from "./chart-frame.ts";
import { type Markup, markup } from "./markup.ts";
import { COUNTS, type Lane, type Mark } from "./timeline-lanes.ts";

/** The colour of each state's band; own states have one in common. */
export const STATE_COLOURS: ReadonlyMap<string, string> = new Map([
  ["connected", "f7"],
  ["foreground", "f3"],
  ["active", "f2"],
  [COUNTS, "f1"],
]);

const ROW_PX = 20;
const MARK_NAMES: Readonly<Record<Mark["kind"], string>> = {
  event: "event",
  moved: "moved to when it happened",
  timeout: "server's timeout",
  quarantined: "rejected event",
};

/** What the colours and marks mean that these lanes have. */
export function legend(lanes: readonly Lane[], width: number): { readonly markup: Markup; readonly height: number } {
  const bands = new Set(
    lanes.flatMap((lane) => lane.bands.filter(({ intervals }) => intervals.length > 0).map(({ name }) => name)),
  );
  const kinds = new Set(lanes.flatMap(({ marks }) => marks.map(({ kind }) => kind)));
  const entries = [
    ...[...bands].map((name) => ({
      name: name === COUNTS ? "counts in the day" : name,
      mark: band(STATE_COLOURS.get(name) ?? "f4"),
    })),
    ...(["event", "moved", "timeout", "quarantined"] as const).flatMap((kind) =>
      kinds.has(kind) ? [{ name: MARK_NAMES[kind], mark: symbol(kind) }] : [],
    ),
  ];
  let [x, y] = [10, 14];
  const placed = entries.map(({ name, mark }) => {
    const length = 18 + textWidth(name) + 14;
    if (x > 10 && x + length > width + 24) [x, y] = [10, y + ROW_PX];
    const entry = markup`<g transform="translate(${x},${y})">${mark}<text class="ink" x="18" y="0">${name}</text></g>`;
    x += length;
    return entry;
  });
  return { markup: markup`<g>${placed}</g>`, height: entries.length > 0 ? y + 10 : 0 };
}

const band = (colour: string) => markup`<rect class="${colour}" x="0" y="-9" width="12" height="9" rx="1"/>`;

function symbol(kind: Mark["kind"]): Markup {
  const shape = {
    event: "M6,-10V0",
    moved: "M10,-9L4,-5L10,-1Z",
    timeout: "M2,-9H10L6,-1Z",
    quarantined: "M2,-9L10,-1M2,-1L10,-9",
  }[kind];
  return markup`<path class="mark ${kind}" d="${shape}"/>`;
}

import { lasting } from "../explain/clock.ts";
import type { ExplainedDefinition } from "../explain/explained-definition.ts";
import type { Explanation } from "../explain/explanation.ts";
import { formatDuration } from "../plan/duration.ts";
import { reasonText } from "../quarantine/reasons.ts";
import { eventsTable } from "./explain-events.ts";
import { figure, WIDTHS } from "./figure.ts";
import { type Content, type Markup, markup } from "./markup.ts";
import { page, section, type Tile, tiles } from "./page.ts";
import { pictureStyle } from "./style.ts";
import { table } from "./table.ts";
import { timeline } from "./timeline.ts";
import { percent, span, whole } from "./words.ts";

/** An explanation as one page: the answer, a picture for each definition with its events in words, and what the reasons mean. */
export function explainPage(explanation: Explanation, tool: string): string {
  const { userId, day, zone, definitions, notes, source } = explanation;
  const [first] = definitions;
  return page({
    title: `User ${userId} was online for ${lasting(first!.onlineMs)} on ${day}`,
    subtitle: markup`${idOf(first!)}; the business day of ${zone}`,
    body: [
      notes.map((note) => markup`<p class="warn">${note}.</p>`),
      tiles(explainTiles(explanation)),
      definitions.map((definition, metricNo) => definitionSection(explanation, definition, metricNo)),
      reasonsSection(explanation),
    ],
    footer: markup`Made by ${tool} from the lake <code>${source.lake}</code>${source.mart === null ? null : markup` and the mart <code>${source.mart}</code>`}. [R1] to [R22] are the rules: sql/README.md of presence-batch has them.`,
  });
}

/** The picture of the first definition as a file of its own, in SVG. */
export function explainPicture(explanation: Explanation): string {
  const { text } = timeline(explanation, 0, WIDTHS.wide);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text.replace(">", `><style>${pictureStyle()}</style>`)}\n`;
}

const idOf = ({ name, version }: ExplainedDefinition): string => `${name}@${version}`;

function explainTiles({ definitions, counts }: Explanation): Tile[] {
  const [first] = definitions;
  const quarantined = Object.values(counts.quarantined).reduce((sum, events) => sum + events, 0);
  const { mart } = first!;
  return [
    {
      label: "Online",
      value: span(first!.onlineMs),
      note: `${whole(first!.onlineMs)} ms in ${whole(first!.intervals.length)} interval${first!.intervals.length === 1 ? "" : "s"}`,
    },
    ...(first!.sessionMs > first!.onlineMs
      ? [{ label: "Sessions together", value: span(first!.sessionMs), note: "what they share counts once" }]
      : []),
    { label: "Events read", value: whole(counts.events), note: `${whole(counts.accepted)} accepted` },
    {
      label: "Rejected",
      value: whole(quarantined),
      note: counts.events > 0 ? percent(quarantined / counts.events) : null,
    },
    ...(mart.kind === "row"
      ? [
          {
            label: "In the mart",
            value: span(mart.onlineMs),
            note: mart.equal
              ? markup`<span class="good">the same</span>`
              : markup`<span class="bad">not the same</span>`,
          },
        ]
      : []),
  ];
}

function definitionSection(explanation: Explanation, definition: ExplainedDefinition, metricNo: number): Markup {
  return section(
    `Under ${idOf(definition)}`,
    markup`<p class="muted small">${rulesOf(definition)}</p>`,
    figure({
      title: `${lasting(definition.onlineMs)} online`,
      note: "Below a silence that is longer than allowed: what of it counts. At dotted lines, time without events is cut out.",
      draw: (width) => timeline(explanation, metricNo, width),
      table: eventsTable(explanation, metricNo),
    }),
  );
}

/** A definition in a sentence. */
function rulesOf(definition: ExplainedDefinition): string {
  const { online, gapMaxMs, gapCreditMs, tailMs, idleMs, devices, maxSessionMs } = definition;
  return [
    `Online is: ${online}`,
    `silences up to ${formatDuration(gapMaxMs)} count whole, longer ones ${formatDuration(gapCreditMs)}, and ${formatDuration(tailMs)} after the last event`,
    ...(idleMs === null ? [] : [`active is up to ${formatDuration(idleMs)} after an interaction`]),
    ...(devices === "latest" ? ["only on the device that was heard last"] : []),
    ...(maxSessionMs === null ? [] : [`a session of more than ${formatDuration(maxSessionMs)} counts nothing`]),
  ]
    .join("; ")
    .concat(".");
}

function reasonsSection({ counts }: Explanation): Content {
  const reasons = Object.entries(counts.quarantined);
  if (reasons.length === 0) return null;
  return section(
    "Rejected events",
    table(
      null,
      [{ title: "Reason" }, { title: "Events", kind: "number" }, { title: "What it means", kind: "prose" }],
      reasons.map(([reason, events]) => {
        const { rule, means, todo } = reasonText(reason);
        return [markup`<code>${reason}</code> <span class="muted">${rule}</span>`, whole(events), `${means} ${todo}`];
      }),
      { stacked: true },
    ),
  );
}

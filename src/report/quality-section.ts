import { type Content, type Markup, markup } from "./markup.ts";
import { section } from "./page.ts";
import type { DayQuality, Report } from "./report-data.ts";
import { table } from "./table.ts";
import { whole } from "./words.ts";

/** What each day was built from, and whether anything about it deserves a look. */
export function qualitySection({ quality }: Report): Markup {
  const warned = quality.filter(({ warnings }) => warnings.length > 0);
  return section(
    "Data quality",
    table(
      "Every event is accepted or quarantined, once; a day of which a check does not hold is not published.",
      [
        { title: "Day" },
        { title: "Complete" },
        { title: "Checks" },
        { title: "Files", kind: "number" },
        { title: "Bad files", kind: "number" },
        { title: "Events", kind: "number" },
        { title: "Accepted", kind: "number" },
        { title: "Out of order", kind: "number" },
        { title: "Built (UTC)" },
      ],
      quality.map((day) => [
        day.day,
        day.complete ? markup`<span class="good">yes</span>` : markup`<span class="warn">no</span>`,
        day.brokenChecks === 0
          ? markup`<span class="good">C1–C8 hold</span>`
          : markup`<span class="bad">${day.brokenChecks} broken</span>`,
        whole(day.files),
        whole(day.badFiles),
        whole(day.owned),
        whole(day.accepted),
        whole(day.reordered),
        day.createdAt.slice(0, 16).replace("T", " "),
      ]),
      { stacked: true },
    ),
    warned.length === 0
      ? markup`<p class="muted small">No warning was given.</p>`
      : markup`<h3>Warnings</h3><ul class="small">${warned.flatMap(warningItems)}</ul>`,
  );
}

const WARNINGS_SHOWN = 12;

function warningItems({ day, warnings }: DayQuality): Content[] {
  const more = warnings.length - WARNINGS_SHOWN;
  return [
    ...warnings.slice(0, WARNINGS_SHOWN).map((warning) => markup`<li>${warning}</li>`),
    ...(more > 0 ? [markup`<li>${day}: ${more} more, in its manifest</li>`] : []),
  ];
}

import { reasonText } from "../quarantine/reasons.ts";
import { columnChart } from "./column-chart.ts";
import { dayClock } from "./day-clock.ts";
import { figure } from "./figure.ts";
import { type Markup, markup } from "./markup.ts";
import { section } from "./page.ts";
import type { Report } from "./report-data.ts";
import { SERIES_COLOURS } from "./style.ts";
import { table } from "./table.ts";
import { percent, whole } from "./words.ts";

/** Rejected events by reason, over the hours of a day or over days. */
export function quarantineSection(report: Report): Markup {
  const { quarantine, days, zone, spanMs } = report;
  const { reasons, owned, quarantined } = quarantine;
  if (quarantined === 0) return section("Quarantine", markup`<p>No event of these days was rejected.</p>`);
  const one = days.length === 1;
  const clock = dayClock(zone, spanMs);
  const shown = reasons.length > SERIES_COLOURS ? reasons.slice(0, SERIES_COLOURS - 1) : reasons;
  const others = reasons.length - shown.length;
  const parts = (events: readonly number[]): number[] => [
    ...events.slice(0, shown.length),
    ...(others > 0 ? [events.slice(shown.length).reduce((sum, count) => sum + count, 0)] : []),
  ];
  const unplaced = quarantine.unplaced.reduce((sum, count) => sum + count, 0);
  const label = (atMs: number) => (one ? clock.time(atMs) : clock.date(atMs));
  return section(
    "Quarantine",
    figure({
      title: `Rejected events by ${one ? "hour" : "day"}`,
      note: markup`${percent(quarantined / owned)} of ${whole(owned)} events.${unplaced > 0 ? ` ${whole(unplaced)} of them have no time within ${one ? "the day" : "these days"} and are not drawn.` : null}`,
      legend: [...shown.map(({ reason }) => reason), ...(others > 0 ? [`${others} others`] : [])],
      draw: (width) =>
        columnChart(
          {
            says: "Rejected events over time, by reason",
            columns: quarantine.steps.map(({ atMs, events }) => ({ label: label(atMs), parts: parts(events) })),
            formatY: whole,
          },
          width,
        ),
      table: table(
        null,
        [{ title: one ? "Hour" : "Day" }, ...reasons.map(({ reason }) => ({ title: reason, kind: "number" as const }))],
        [
          ...quarantine.steps.map(({ atMs, events }) => [label(atMs), ...events.map(whole)]),
          ...(unplaced > 0 ? [["elsewhere", ...quarantine.unplaced.map(whole)]] : []),
        ],
      ),
    }),
    table(
      "Why, and what to do about it.",
      [
        { title: "Reason" },
        { title: "Events", kind: "number" },
        { title: "of all", kind: "number" },
        { title: "What it means", kind: "prose" },
      ],
      reasons.map(({ reason, events }) => {
        const { rule, means, todo } = reasonText(reason);
        return [
          markup`<code>${reason}</code> <span class="muted">${rule}</span>`,
          whole(events),
          percent(events / owned),
          `${means} ${todo}`,
        ];
      }),
      { stacked: true },
    ),
  );
}

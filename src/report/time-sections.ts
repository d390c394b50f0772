import { columnChart } from "./column-chart.ts";
import { type DayClock, dayClock, timeTicks } from "./day-clock.ts";
import { figure } from "./figure.ts";
import { lineChart } from "./line-chart.ts";
import { type Markup, markup } from "./markup.ts";
import { section } from "./page.ts";
import type { CurvePoint, Report } from "./report-data.ts";
import { table } from "./table.ts";
import { hours, idOf, span, whole } from "./words.ts";

const HOUR_MS = 3_600_000;

/** The curve of users online, with the peak of the first definition and grey where the lake has no hour. */
export function usersSection(report: Report): Markup {
  const { definitions, spanMs, days, zone, quality } = report;
  const clock = dayClock(zone, spanMs);
  const detail = definitions[0]!;
  const { peakUsers, peakAtMs } = detail.total;
  const one = days.length === 1;
  const unknown = gaps(detail.curve, spanMs.endMs);
  const peak =
    peakAtMs === null
      ? null
      : { x: peakAtMs, y: peakUsers, label: `${whole(peakUsers)} at ${clock.instant(peakAtMs)}` };
  const starts = one ? [spanMs.startMs] : dayStarts(report);
  return section(
    "Users online",
    figure({
      title: one ? "Users online at each minute" : `Most users online within ${days.length} minutes`,
      note: markup`Time of ${zone}.${unknown.length > 0 ? " Grey: hours that the lake does not have, so that nobody knows." : null}${quality.length < days.length ? " Days that are not built are left out." : null}`,
      legend: definitions.length > 1 ? definitions.map(idOf) : [],
      draw: (width) =>
        lineChart(
          {
            says: `Users online over time${peak ? `; ${idOf(detail)} has its peak of ${peak.label}` : ""}`,
            x: [spanMs.startMs, spanMs.endMs],
            xTicks: timeTicks(clock, spanMs, starts),
            formatY: whole,
            series: definitions.map(({ curve }) => curve.map(({ atMs, users }) => [atMs, users] as const)),
            mark: peak,
            gaps: unknown,
          },
          width,
        ),
      table: curveTable(report, clock),
    }),
  );
}

const dayStarts = ({ days, quarantine, spanMs }: Report): number[] =>
  days.length === 1 ? [spanMs.startMs] : quarantine.steps.map(({ atMs }) => atMs);

/** Where a curve is not known. */
function gaps(curve: readonly CurvePoint[], endMs: number): [number, number][] {
  const found: [number, number][] = [];
  for (const [i, { atMs, users }] of curve.entries()) {
    if (users !== null) continue;
    const until = curve[i + 1]?.atMs ?? endMs;
    const last = found.at(-1);
    if (last && last[1] === atMs) last[1] = until;
    else found.push([atMs, until]);
  }
  return found;
}

/** The most users of each hour, or of each day. */
function curveTable({ definitions, spanMs, days, zone }: Report, clock: DayClock): Markup {
  const several = days.length > 1;
  const steps = new Map<string, (number | null)[]>();
  for (const [column, { curve }] of definitions.entries()) {
    for (const { atMs, users } of curve) {
      const hour = spanMs.startMs + Math.floor((atMs - spanMs.startMs) / HOUR_MS) * HOUR_MS;
      const key = several ? clock.date(atMs) : clock.time(hour);
      const row = steps.get(key) ?? definitions.map(() => null);
      if (users !== null) row[column] = Math.max(row[column] ?? 0, users);
      steps.set(key, row);
    }
  }
  return table(
    `Most users online at once, by ${several ? "day" : "hour"} of ${zone}.`,
    [
      { title: several ? "Day" : "Hour" },
      ...definitions.map((each) => ({ title: idOf(each), kind: "number" as const })),
    ],
    [...steps].map(([key, users]) => [key, ...users.map((value) => (value === null ? "unknown" : whole(value)))]),
  );
}

/** Hours and users of each day. */
export function daysSection({ definitions, days }: Report): Markup {
  const detail = definitions[0]!;
  const byDay = new Map(detail.days.map((day) => [day.day, day]));
  return section(
    "Day by day",
    figure({
      title: "Hours online by day",
      note: idOf(detail),
      draw: (width) =>
        columnChart(
          {
            says: "Hours online by day",
            columns: days.map((day) => ({ label: day.slice(5), parts: [(byDay.get(day)?.onlineMs ?? 0) / HOUR_MS] })),
            formatY: (value) => value.toLocaleString("en"),
          },
          width,
        ),
      table: table(
        null,
        [
          { title: "Day" },
          ...["Hours", "Users", "Median", "90 %", "99 %", "Most at once"].map((title) => ({
            title,
            kind: "number" as const,
          })),
        ],
        days.map((day) => {
          const figures = byDay.get(day);
          if (!figures) return [day, "not built", "", "", "", "", ""];
          const { onlineMs, users, p50Ms, p90Ms, p99Ms, peakUsers } = figures;
          const ranks = [p50Ms, p90Ms, p99Ms].map((ms) => (ms === null ? "–" : span(ms)));
          return [
            figures.complete ? day : `${day} (incomplete)`,
            hours(onlineMs),
            whole(users),
            ...ranks,
            whole(peakUsers),
          ];
        }),
      ),
    }),
  );
}

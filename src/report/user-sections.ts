import { columnChart } from "./column-chart.ts";
import { figure } from "./figure.ts";
import { lineChart } from "./line-chart.ts";
import { type Markup, markup } from "./markup.ts";
import { section } from "./page.ts";
import type { Report, ValueReport } from "./report-data.ts";
import { table } from "./table.ts";
import { hours, percent, whole } from "./words.ts";

/** Users by online time. */
export function distributionSection({ distribution, definitions, days }: Report): Markup {
  const all = distribution.reduce((sum, { users }) => sum + users, 0);
  const { metric, version } = definitions[0]!;
  const label = ({ fromMs, toMs }: Report["distribution"][number]): string =>
    toMs === null ? `${short(fromMs)} +` : fromMs === 0 ? `< ${short(toMs)}` : `${short(fromMs, toMs)}–${short(toMs)}`;
  return section(
    "How long users were online",
    figure({
      title: "Users by online time",
      note: `${metric}@${version}${days.length > 1 ? ", within a day: a user counts on each day" : ""}`,
      draw: (width) =>
        columnChart(
          {
            says: "Number of users by their online time",
            columns: distribution.map((step) => ({ label: label(step), parts: [step.users] })),
            formatY: whole,
          },
          width,
        ),
      table: table(
        null,
        [{ title: "Online time" }, { title: "Users", kind: "number" }, { title: "Share", kind: "number" }],
        distribution.map((step) => [label(step), whole(step.users), all > 0 ? percent(step.users / all) : "–"]),
      ),
    }),
  );
}

/** `5 min`, `2 h`; without its unit where `to` has the same. */
function short(ms: number, to?: number): string {
  const [value, unit] = ms < 3_600_000 ? [ms / 60_000, "min"] : [ms / 3_600_000, "h"];
  const sameUnit = to !== undefined && to < 3_600_000 === ms < 3_600_000;
  return sameUnit ? String(value) : `${value} ${unit}`;
}

const TITLES: Readonly<Record<string, string>> = {
  client_type: "By client type",
  channel: "By channel",
  app_version: "By app version",
  region: "By region",
};
const VALUES_SHOWN = 12;

/** One table for each dimension that has a value other than unknown. */
export function valueSections({ values, definitions, days }: Report): Markup {
  const total = definitions[0]!.total.onlineMs;
  const sections = Object.entries(TITLES).flatMap(([dimension, title]) => {
    const own = values.filter((value) => value.dimension === dimension);
    if (own.every(({ value }) => value === null)) return [];
    return [section(title, valueTable(own, total, days.length > 1))];
  });
  return markup`<div class="pairs">${sections}</div>
<p class="muted small">Hours in which a user was online with the value; a user with several at once counts under each.</p>`;
}

function valueTable(values: readonly ValueReport[], totalMs: number, severalDays: boolean): Markup {
  const most = Math.max(1, ...values.map(({ onlineMs }) => onlineMs));
  const shown = values.slice(0, values.length > VALUES_SHOWN + 1 ? VALUES_SHOWN : values.length);
  const rest = values.slice(shown.length);
  const row = (name: string | Markup, onlineMs: number, users: number | null) => [
    name,
    // Others together may be more than any one.
    users === null ? 0 : onlineMs / most,
    hours(onlineMs),
    totalMs > 0 ? percent(onlineMs / totalMs) : "–",
    users === null ? "" : whole(users),
  ];
  return table(
    null,
    [
      { title: "Value", kind: "id" },
      { title: "", kind: "bar" },
      { title: "Hours", kind: "number" },
      { title: "of all", kind: "number" },
      { title: severalDays ? "User days" : "Users", kind: "number" },
    ],
    [
      ...shown.map(({ value, onlineMs, users }) => row(value ?? markup`<em>unknown</em>`, onlineMs, users)),
      ...(rest.length > 0
        ? [
            row(
              markup`<em>${rest.length} others</em>`,
              rest.reduce((sum, { onlineMs }) => sum + onlineMs, 0),
              null,
            ),
          ]
        : []),
    ],
  );
}

const DAY_MS = 86_400_000;

/** The realtime layer's total beside the mart's, over the last weeks; nothing where no comparison was made. */
export function driftSection({ drift }: Report): Markup | null {
  if (drift.length === 0) return null;
  const names = [...new Set(drift.map(({ metric, version }) => `${metric}@${version}`))];
  const at = (day: string) => Date.parse(day);
  const of = (name: string) => [
    ...new Map(
      drift.filter(({ metric, version }) => `${metric}@${version}` === name).map((point) => [point.day, point]),
    ).values(),
  ];
  const days = [...new Set(drift.map(({ day }) => day))].sort();
  const [first, last] = [at(days[0]!), at(days.at(-1)!)];
  return section(
    "Drift of the realtime layer",
    figure({
      title: "How much more the realtime layer has said, of the total",
      note: "The latest comparison of each day that presence-batch drift has kept.",
      legend: names.length > 1 ? names : [],
      draw: (width) =>
        lineChart(
          {
            says: "Difference of the realtime total from the offline total, by day",
            x: first === last ? [first - DAY_MS, last + DAY_MS] : [first, last],
            xTicks: days.map((day) => ({ at: at(day), label: day.slice(5) })),
            formatY: (value) => `${Number((value * 100).toFixed(3))} %`,
            series: names.map((name) => of(name).map(({ day, share }) => [at(day), share] as const)),
            dots: true,
          },
          width,
        ),
      table: table(
        null,
        [{ title: "Day" }, { title: "Definition" }, { title: "Difference", kind: "number" }, { title: "Verdict" }],
        drift.map(({ day, metric, version, share, verdict }) => [
          day,
          `${metric}@${version}`,
          `${share < 0 ? "−" : "+"}${percent(Math.abs(share))}`,
          verdict,
        ]),
      ),
    }),
  );
}

import { lasting } from "../explain/clock.ts";
import { dayClock } from "./day-clock.ts";
import { type Content, type Markup, markup } from "./markup.ts";
import { page, section, type Tile, tiles } from "./page.ts";
import { qualitySection } from "./quality-section.ts";
import { quarantineSection } from "./quarantine-section.ts";
import type { DefinitionReport, Report } from "./report-data.ts";
import { table } from "./table.ts";
import { daysSection, usersSection } from "./time-sections.ts";
import { distributionSection, driftSection, valueSections } from "./user-sections.ts";
import { change, hours, idOf, percent, span, whole } from "./words.ts";

/** A report as one page. `tool`: name and version of what made it. */
export function reportPage(report: Report, tool: string): string {
  const { days, zone, out, definitions, quality } = report;
  const detail = definitions[0]!;
  const one = days.length === 1;
  return page({
    title: one ? `Online time on ${days[0]}` : `Online time, ${days[0]} to ${days.at(-1)}`,
    subtitle: markup`${one ? "The business day" : `${days.length} business days`} of ${zone}, ${idOf(detail)} in detail`,
    body: [
      notices(report),
      tiles(headTiles(report)),
      usersSection(report),
      definitionsSection(report),
      one ? null : daysSection(report),
      distributionSection(report),
      valueSections(report),
      quarantineSection(report),
      driftSection(report),
      qualitySection(report),
    ],
    footer: markup`Made by ${tool} from the mart <code>${out}</code>${quality.length === 1 ? markup`, run <code>${quality[0]!.runId}</code>` : null}. Every figure is that of the day's last commit; none is a sample or an estimate.`,
  });
}

function notices({ missingDays, quality }: Report): Content {
  const incomplete = quality.filter(({ complete }) => !complete);
  return [
    ...(missingDays.length > 0
      ? [markup`<p class="warn"><strong>Not built:</strong> ${missingDays.join(", ")}.</p>`]
      : []),
    ...incomplete.map(
      ({ day, incompleteBecause }) =>
        markup`<p class="warn"><strong>${day} is incomplete:</strong> ${incompleteBecause.join("; ")}.</p>`,
    ),
  ];
}

function headTiles(report: Report): Tile[] {
  const { definitions, quarantine, zone, spanMs, days } = report;
  const { total, before, days: figures } = definitions[0]!;
  const clock = dayClock(zone, spanMs);
  const against = (of: (figures: DefinitionReport["total"]) => number): Content =>
    before.flatMap(({ name, figures: past }) => (past ? [markup`${change(of(total), of(past))} on ${name}<br>`] : []));
  const [only] = figures;
  return [
    {
      label: days.length === 1 ? "Users online" : "Users, summed over days",
      value: whole(total.users),
      note: against(({ users }) => users),
    },
    { label: "Hours online", value: hours(total.onlineMs), note: against(({ onlineMs }) => onlineMs) },
    {
      label: "Most at once",
      value: whole(total.peakUsers),
      note: [
        total.peakAtMs === null ? null : markup`at ${clock.instant(total.peakAtMs)}<br>`,
        against(({ peakUsers }) => peakUsers),
      ],
    },
    days.length === 1
      ? {
          label: "Median user",
          value: only?.p50Ms ? span(only.p50Ms) : "–",
          note: only?.p90Ms ? `one in ten ${span(only.p90Ms)} or more` : null,
        }
      : {
          label: "Per user and day",
          value: total.users > 0 ? span(total.onlineMs / total.users) : "–",
          note: "on average",
        },
    {
      label: "Events quarantined",
      value: quarantine.owned > 0 ? percent(quarantine.quarantined / quarantine.owned) : "–",
      note: `${whole(quarantine.quarantined)} of ${whole(quarantine.owned)}`,
    },
  ];
}

/** Each definition's total, exact. */
function definitionsSection({ definitions, days, zone, spanMs }: Report): Markup {
  const most = Math.max(1, ...definitions.map(({ total }) => total.onlineMs));
  const one = days.length === 1;
  const clock = dayClock(zone, spanMs);
  const rows = definitions.map(({ metric, version, total, days: figures, before }) => [
    idOf({ metric, version }),
    total.onlineMs / most,
    lasting(total.onlineMs),
    whole(total.users),
    whole(total.sessions),
    ...(one ? [figures[0]?.p50Ms ?? null, figures[0]?.p90Ms ?? null].map((ms) => (ms === null ? "–" : span(ms))) : []),
    `${whole(total.peakUsers)}${total.peakAtMs === null ? "" : ` at ${clock.instant(total.peakAtMs)}`}`,
    ...before.map(({ figures: past }) => (past ? change(total.onlineMs, past.onlineMs) : "–")),
  ]);
  return section(
    "By definition",
    table(
      "The same events under each definition of what counts as online. The sums are exact to the millisecond.",
      [
        { title: "Definition" },
        { title: "", kind: "bar" },
        { title: "Online time", kind: "number" },
        { title: one ? "Users" : "User days", kind: "number" },
        { title: "Sessions", kind: "number" },
        ...(one ? (["Median", "90 %"] as const).map((title) => ({ title, kind: "number" as const })) : []),
        { title: "Most at once", kind: "number" },
        ...(definitions[0]?.before ?? []).map(({ name }) => ({ title: `On ${name}`, kind: "number" as const })),
      ],
      rows,
      { stacked: true },
    ),
  );
}

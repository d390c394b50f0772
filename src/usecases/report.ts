import { definitionId } from "../definitions/resolve.ts";
import type { DuckDbSession } from "../engine/duckdb/session.ts";
import { addDays, type DayRequest, dayWindow, resolveDays, utcHours } from "../plan/days.ts";
import { defaultMemoryLimit } from "../plan/resources.ts";
import { readMart } from "../publish/mart-identity.ts";
import { withPrivateFolder } from "../publish/private-folder.ts";
import {
  type DayFile,
  readCurve,
  readDays,
  readDistribution,
  readQuarantine,
  readValues,
} from "../report/read-figures.ts";
import type { Comparison, DayFigures, DefinitionReport, PeriodFigures, Report } from "../report/report-data.ts";
import { driftHistory } from "./drift-history.ts";
import { type MartEffects, martStore } from "./mart-access.ts";
import { withSession } from "./mart-session.ts";
import { noDays, noMart } from "./open-mart.ts";
import { MartDays } from "./report-days.ts";

/** Which days, and under which definitions. */
export interface ReportOptions {
  readonly out: string;
  readonly days: DayRequest;
  /** `name` or `name@version`, the first one in detail; null for all that the days have, foreground in detail. */
  readonly metrics: readonly string[] | null;
  readonly tempDir: string | null;
}

const DRIFT_DAYS = 31;

/** Reads what a report shows from the mart. Exit 3 where the mart has none of the days. */
export async function report(options: ReportOptions, effects: MartEffects): Promise<Report> {
  const store = martStore(options.out, effects);
  const mart = await readMart(store);
  if (mart === null) throw noMart(options.out);
  const { zone } = mart.identity;
  const days = resolveDays(options.days, zone, effects.nowMs);
  const spans = comparedSpans(days);
  return withPrivateFolder(options.tempDir, async (folder) => {
    const all = await MartDays.open(store, [...new Set([...days, ...spans.flatMap((span) => span.days)])], folder);
    const definitions = all.definitions(days, options.metrics);
    if (definitions.length === 0) throw noDays(options.out, days);
    const detail = definitions[0]!;
    const tables = {
      values: await all.files(days, detail, "daily_summary"),
      users: await all.files(days, detail, "user_daily"),
      quarantined: await all.files(days, null, "quarantined_events"),
    };
    const perDefinition: DefinitionFiles[] = [];
    for (const id of definitions) {
      perDefinition.push({
        id,
        summaries: await all.files([...days, ...spans.flatMap((span) => span.days)], id, "daily_summary"),
        minutes: await all.files(days, id, "minute_online"),
      });
    }
    const reads = [
      ...Object.values(tables),
      ...perDefinition.flatMap(({ summaries, minutes }) => [summaries, minutes]),
    ].flat();
    const resources = {
      folder,
      threads: null,
      memoryLimitBytes: defaultMemoryLimit(),
      reads: reads.map(({ file }) => file),
    };
    const windows = days.map((day) => dayWindow(zone, day));
    const spanMs = { startMs: windows[0]!.startMs, endMs: windows.at(-1)!.endMs };
    const starts =
      days.length === 1
        ? utcHours(spanMs.startMs, spanMs.endMs).map((hour) => Math.max(hour, spanMs.startMs))
        : windows.map(({ startMs }) => startMs);
    const quality = await all.quality(days);
    const drift = await driftHistory(
      {
        out: options.out,
        days: { kind: "range", from: addDays(days.at(-1)!, 1 - DRIFT_DAYS), to: days.at(-1)! },
        metric: null,
      },
      effects,
    );
    return withSession(
      resources,
      effects.signal,
      async (session): Promise<Report> => ({
        out: options.out,
        zone,
        days,
        missingDays: days.filter((day) => !all.has(day, definitions)),
        spanMs,
        definitions: await Promise.all(perDefinition.map((each) => definitionReport(session, each, days, spans))),
        values: await readValues(session, tables.values),
        distribution: await readDistribution(session, tables.users),
        quarantine: {
          owned: quality.reduce((sum, { owned }) => sum + owned, 0),
          quarantined: quality.reduce((sum, { owned, accepted }) => sum + owned - accepted, 0),
          ...(await readQuarantine(session, tables.quarantined, starts, spanMs.endMs)),
        },
        quality,
        drift: drift.comparisons.flatMap(({ day, metric, version, scope, verdict, totals }) => {
          const ofTotal = scope === "users" && totals?.share !== null && totals?.share !== undefined;
          return ofTotal && definitions.includes(definitionId({ name: metric, version }))
            ? [{ day, metric, version, verdict, share: totals.share! }]
            : [];
        }),
      }),
    );
  });
}

interface Span {
  readonly name: string;
  readonly days: readonly string[];
}

/** What the days are held against: those just before, and a week before. */
function comparedSpans(days: readonly string[]): Span[] {
  const { length } = days;
  const shifted = (by: number) => days.map((day) => addDays(day, -by));
  const before = { name: length === 1 ? "the day before" : `the ${length} days before`, days: shifted(length) };
  return length < 7 ? [before, { name: "a week before", days: shifted(7) }] : [before];
}

interface DefinitionFiles {
  readonly id: string;
  readonly summaries: readonly DayFile[];
  readonly minutes: readonly DayFile[];
}

async function definitionReport(
  session: DuckDbSession,
  { id, summaries, minutes }: DefinitionFiles,
  days: readonly string[],
  spans: readonly Span[],
): Promise<DefinitionReport> {
  const [metric = "", version] = id.split("@");
  const unique = [...new Map(summaries.map((file) => [file.day, file])).values()];
  const figures = new Map((await readDays(session, unique)).map((day) => [day.day, day]));
  const of = (wanted: readonly string[]) => wanted.flatMap((day) => figures.get(day) ?? []);
  return {
    metric,
    version: Number(version),
    total: summed(of(days)),
    days: of(days),
    before: spans.map((span): Comparison => {
      const own = of(span.days);
      const whole = own.length === span.days.length && of(days).length === days.length;
      return { name: span.name, from: span.days[0]!, to: span.days.at(-1)!, figures: whole ? summed(own) : null };
    }),
    curve: await readCurve(session, minutes),
  };
}

function summed(days: readonly DayFigures[]): PeriodFigures {
  const sum = (of: (day: DayFigures) => number) => days.reduce((total, day) => total + of(day), 0);
  const peak = days.reduce<DayFigures | null>(
    (best, day) => (best === null || day.peakUsers > best.peakUsers ? day : best),
    null,
  );
  return {
    days: days.length,
    users: sum(({ users }) => users),
    onlineMs: sum(({ onlineMs }) => onlineMs),
    sessions: sum(({ sessions }) => sessions),
    peakUsers: peak?.peakUsers ?? 0,
    peakAtMs: peak?.peakAtMs ?? null,
  };
}

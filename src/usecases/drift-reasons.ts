import { definitionId } from "../definitions/resolve.ts";
import { findReasons } from "../drift/find-reasons.ts";
import type { Reasons } from "../drift/reasons.ts";
import type { Suspects } from "../drift/suspects.ts";
import { dayWindow } from "../plan/days.ts";
import { readMart } from "../publish/mart-identity.ts";
import { type DayPlan, planDays } from "./day-plan.ts";
import { withDaySession } from "./day-session.ts";
import type { DriftBasis, DriftOptions } from "./drift-basis.ts";
import { incompleteness } from "./incompleteness.ts";
import { lakeStore, withOneDay } from "./lake-access.ts";
import { type MartEffects, settingsOf } from "./mart-access.ts";
import { martDefinition } from "./mart-definitions.ts";

/** Looks into the lake for what the realtime layer does otherwise. */
export async function driftReasons(
  options: DriftOptions & { readonly lake: string },
  { store, zone, day, metric, version, part }: DriftBasis,
  suspects: Suspects,
  effects: MartEffects,
): Promise<Reasons> {
  const mart = (await readMart(store))!;
  const settings = settingsOf(mart.identity, mart.eventTypes);
  const definition = await martDefinition(store, definitionId({ name: metric, version }));
  const planOf = async (of: string) => {
    const plan = await planDays({ ...options, days: { kind: "date", date: day }, zone: of, settings }, effects);
    return plan.days[0]!;
  };
  const own = await planOf(zone);
  const utc = await utcDay(options, own, planOf);
  const listed = utc.plan === null ? own : { ...own, files: union(own, utc.plan) };
  const place = { tempDir: options.tempDir, signal: effects.signal };
  return withOneDay(listed, lakeStore(options.lake, effects), place, (opened, folder) =>
    withDaySession(opened, { ...options, ...place, settings, folder, reads: [] }, async (session, files) => {
      const reasons = await findReasons(session, files, {
        ...{ settings, definition, signal: effects.signal },
        window: own.window,
        suspects: suspects.users,
        differing: suspects.differing,
        utc: utc.plan?.window ?? null,
      });
      // Where the mart's own day is incomplete, that is told already.
      const incomplete = part.complete ? incompleteness(own, files.bad) : [];
      return { ...reasons, notes: [...reasons.notes, ...utc.notes, ...incomplete] };
    }),
  );
}

/** The day of the same date in UTC, where the realtime layer may have cut by it and the lake has its hours. */
async function utcDay(
  { realtimeZone }: DriftOptions,
  own: DayPlan,
  planOf: (zone: string) => Promise<DayPlan>,
): Promise<{ plan: DayPlan | null; notes: string[] }> {
  const window = dayWindow("UTC", own.window.day);
  const isSame = window.startMs === own.window.startMs && window.endMs === own.window.endMs;
  if (isSame || realtimeZone !== null) return { plan: null, notes: [] };
  const plan = await planOf("UTC");
  if (!plan.unfinished && plan.missingHours.length === 0) return { plan, notes: [] };
  const why = plan.unfinished ? "that day is not over yet" : `the lake lacks ${plan.missingHours.length} of its hours`;
  return { plan: null, notes: [`whether the day is cut in UTC cannot be told: ${why}`] };
}

const union = (one: DayPlan, other: DayPlan): DayPlan["files"] => {
  const own = new Set(one.files.map(({ relative }) => relative));
  return [...one.files, ...other.files.filter(({ relative }) => !own.has(relative))];
};

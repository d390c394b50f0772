import type { DuckDbSession, Row } from "../engine/duckdb/session.ts";
import { loadSql } from "../pipeline/sql-files.ts";
import { readDistribution } from "./distribution.ts";
import type { Compared, Counts, Difference, DriftLimits, MinutePair, RowLimit, Scope, Totals } from "./drift-result.ts";
import { gatesOf } from "./verdict.ts";

/** Compares `head_figures` with `base_figures`: sums, counts, thresholds, and the `worst` rows, most first. */
export async function compareFigures(
  session: DuckDbSession,
  scope: Scope,
  limits: DriftLimits,
  worst: number,
): Promise<Compared> {
  const tolerance = scope === "users" || scope === "dimensions" ? limits.toleranceMs : 0;
  await session.run(`create table figure_differences as ${loadSql("95_drift/figure_differences")}`);
  await session.run(`create view judged_differences as
    select *, ${beyond(tolerance, limits.row, 1)} as over, ${beyond(tolerance, limits.row, 2)} as near
    from figure_differences`);
  const { totals, counts } = await readCounts(session, tolerance);
  const summed = scope === "dimensions" ? null : totals;
  return {
    unit: scope === "users" || scope === "dimensions" ? "ms" : "users",
    totals: summed,
    counts,
    gates: gatesOf(scope, summed, counts, limits),
    worst: await readWorst(session, scope, tolerance, worst),
    distribution: scope === "users" ? await readDistribution(session, tolerance) : null,
    minutes: scope === "minutes" ? await readMinutes(session) : [],
  };
}

/** SQL: the difference exceeds the n-th part of the limit, both of its share and of its amount. Products, as no division is exact. */
function beyond(tolerance: number, { share, amount }: RowLimit, part: number): string {
  const size = `cast(abs(difference) as hugeint)`;
  const ppm = Math.round(share * 1_000_000);
  return `(abs(difference) > ${tolerance} and ${size} * ${part} > ${amount}
    and ${size} * ${part * 1_000_000} > cast(coalesce(base, 0) as hugeint) * ${ppm})`;
}

async function readCounts(session: DuckDbSession, tolerance: number): Promise<{ totals: Totals; counts: Counts }> {
  const [row = {}] = await session.rows(`
    select count(*) as compared, count(*) filter (abs(difference) <= ${tolerance}) as equal,
      count(*) filter (over) as over, count(*) filter (near) as near,
      count(*) filter (head is null) as offline_only, count(*) filter (base is null) as realtime_only,
      cast(coalesce(sum(base), 0) as bigint) as offline, cast(coalesce(sum(head), 0) as bigint) as realtime
    from judged_differences`);
  const number = (name: string) => Number(row[name]);
  const [offline, realtime] = [number("offline"), number("realtime")];
  return {
    totals: { offline, realtime, difference: realtime - offline, share: shareOf(realtime - offline, offline) },
    counts: {
      compared: number("compared"),
      equal: number("equal"),
      over: number("over"),
      near: number("near"),
      offlineOnly: number("offline_only"),
      realtimeOnly: number("realtime_only"),
    },
  };
}

/** A difference as a share of its base, signed; null where that is 0. */
export const shareOf = (difference: number, base: number): number | null => (base === 0 ? null : difference / base);

async function readWorst(
  session: DuckDbSession,
  scope: Scope,
  tolerance: number,
  worst: number,
): Promise<Difference[]> {
  const rows = await session.rows(`
    select subject, value, base, head, difference, over from judged_differences where abs(difference) > ${tolerance}
    order by abs(difference) desc, ${scope === "minutes" ? "cast(subject as bigint)" : "subject"}, value nulls first
    limit ${worst}`);
  return rows.map((row) => differenceOf(row, scope));
}

function differenceOf(row: Row, scope: Scope): Difference {
  const amount = (value: unknown) => (value === null ? null : Number(value));
  const [offline, difference] = [amount(row.base), Number(row.difference)];
  return {
    subject: scope === "minutes" ? isoMinute(row.subject) : String(row.subject),
    value: row.value as string | null,
    offline,
    realtime: amount(row.head),
    difference,
    share: shareOf(difference, offline ?? 0),
    over: row.over === true,
  };
}

async function readMinutes(session: DuckDbSession): Promise<MinutePair[]> {
  const rows = await session.rows(
    "select subject, base, head from figure_differences order by cast(subject as bigint)",
  );
  return rows.map(({ subject, base, head }) => ({
    minute: isoMinute(subject),
    offline: Number(base),
    realtime: head === null ? null : Number(head),
  }));
}

const isoMinute = (ms: unknown): string => new Date(Number(ms)).toISOString();

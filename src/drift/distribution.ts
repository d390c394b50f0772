import type { DuckDbSession } from "../engine/duckdb/session.ts";

const MINUTE = 60_000;
/** Upper ends of the classes of growth, in ms; those of shrinking mirror them. */
const ENDS = [MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE] as const;

/** How many rows changed by how much. */
export interface Distribution {
  /** From the largest decrease to the largest increase; the middle one, from -tolerance to +tolerance, are the equal ones. */
  readonly classes: readonly DifferenceClass[];
  /** Nearest-rank percentiles of the difference over all rows, in ms; null where there is no row. */
  readonly percentiles: { readonly [P in `p${(typeof PERCENTS)[number]}Ms`]: number | null };
}

export interface DifferenceClass {
  /** Of the size of the difference, in ms: above `aboveMs`, up to `uptoMs` (null: no end). */
  readonly sign: -1 | 0 | 1;
  readonly aboveMs: number;
  readonly uptoMs: number | null;
  readonly rows: number;
}

const PERCENTS = [1, 10, 50, 90, 99] as const;

/** The distribution of `figure_differences`. */
export async function readDistribution(session: DuckDbSession, toleranceMs: number): Promise<Distribution> {
  const found = await session.rows(`
    select case when abs(difference) <= ${toleranceMs} then 0 else sign(difference) end as sign,
      case when abs(difference) <= ${toleranceMs} then 0
        ${ENDS.map((end, i) => `when abs(difference) <= ${end} then ${i}`).join(" ")} else ${ENDS.length} end as class,
      count(*) as rows
    from figure_differences group by all`);
  const rowsOf = (sign: number, index: number) =>
    Number(found.find((row) => Number(row.sign) === sign && Number(row.class) === index)?.rows ?? 0);
  const grown = [...ENDS.keys(), ENDS.length].map((index) => ({
    aboveMs: Math.max(ENDS[index - 1] ?? 0, toleranceMs),
    uptoMs: ENDS[index] ?? null,
    index,
  }));
  const classes = (sign: -1 | 1): DifferenceClass[] =>
    grown
      .filter(({ uptoMs }) => uptoMs === null || uptoMs > toleranceMs)
      .map(({ aboveMs, uptoMs, index }) => ({ sign, aboveMs, uptoMs, rows: rowsOf(sign, index) }));
  return {
    classes: [
      ...classes(-1).reverse(),
      { sign: 0, aboveMs: 0, uptoMs: toleranceMs, rows: rowsOf(0, 0) },
      ...classes(1),
    ],
    percentiles: await readPercentiles(session),
  };
}

async function readPercentiles(session: DuckDbSession): Promise<Distribution["percentiles"]> {
  const list = PERCENTS.map((percent) => `min(difference) filter (place * 100 >= rows * ${percent}) as p${percent}`);
  const [row] = await session.rows(`
    select ${list.join(", ")}
    from (select difference, row_number() over (order by difference) as place, count(*) over () as rows
      from figure_differences)`);
  const of = (name: string): number | null => (row?.[name] == null ? null : Number(row[name]));
  return { p1Ms: of("p1"), p10Ms: of("p10"), p50Ms: of("p50"), p90Ms: of("p90"), p99Ms: of("p99") };
}

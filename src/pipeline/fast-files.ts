/**
 * Files that give DuckDB the rows of their namesake without sorting them once more: they rely on the order in which a table was
 * written, and fail where rows come otherwise.
 */
export const FAST_FILES: readonly string[] = [
  "30_identity/repeating_events.duckdb",
  "40_order/order_marks.duckdb",
  "60_points/neighbours.duckdb",
];

/** What they fail with. */
export const OUT_OF_ORDER = "rows out of order";

/** The file to run in place of another, or null. */
export const fastFile = (file: string): string | null => FAST_FILES.find((fast) => fast === `${file}.duckdb`) ?? null;

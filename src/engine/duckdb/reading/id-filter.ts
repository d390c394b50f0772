import type { RowFilter } from "./raw-events.ts";
import { sqlText } from "./sql-text.ts";

/** Ids as text, none of them empty: written out, or in a relation's column `id`. */
export type Ids = readonly string[] | { readonly relation: string };

const WHOLE = /^(?:0|-?[1-9][0-9]{0,18})$/;
const MAX_BIGINT = 2n ** 63n - 1n;

/**
 * Rows whose id is one of these. The condition is on the column as it is stored, never on a cast of it, wherever it can be: so
 * the scan leaves out row groups by their statistics and reads the other columns of matching rows only.
 */
export function idFilter(name: "event_id" | "user_id" | "session_id", ids: Ids): RowFilter {
  return (group) => {
    const reading = group.plan[name];
    if (!reading || reading.kind === "unreadable" || reading.kind === "null") return "FALSE";
    const column = group.column(reading.source);
    switch (reading.kind) {
      case "text":
        return isIn(column, "relation" in ids ? `SELECT id FROM ${ids.relation}` : ids.map(sqlText));
      case "integer":
        return isIn(column, "relation" in ids ? wholeIds(ids.relation) : ids.filter(isBigint));
      default:
        return isIn(
          `CAST(${column} AS VARCHAR)`,
          "relation" in ids ? `SELECT id FROM ${ids.relation}` : ids.map(sqlText),
        );
    }
  };
}

function isIn(source: string, values: string | readonly string[]): string {
  if (typeof values === "string") return `${source} IN (${values})`;
  return values.length === 0 ? "FALSE" : `${source} IN (${values.join(", ")})`;
}

/** Text that a whole number is printed as: `007` is no id of an integer column. */
function isBigint(id: string): boolean {
  if (!WHOLE.test(id)) return false;
  const value = BigInt(id);
  return value <= MAX_BIGINT && value >= -MAX_BIGINT - 1n;
}

const wholeIds = (relation: string): string =>
  `SELECT TRY_CAST(id AS BIGINT) FROM ${relation} WHERE CAST(TRY_CAST(id AS BIGINT) AS VARCHAR) = id`;

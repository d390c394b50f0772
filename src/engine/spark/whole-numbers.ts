import type { ColumnKind } from "../duckdb/reading/column-kind.ts";
import { type TimeUnit, unitToMs as unitToMsBy } from "../duckdb/reading/whole-ms.ts";
import { sparkText } from "./spark-text.ts";

/** Blanks, sign, digits, a fraction of zeros; its first group is the number. */
const WHOLE_NUMBER = sparkText("^ *([+-]?[0-9]+)(?:\\.0+)? *\\z");

/** BIGINT of `42`, `-7` or `42.0`; null for `1.5`, `abc`, `1e3` and what a BIGINT does not hold. */
export function wholeNumberText(source: string): string {
  return `try_cast(regexp_extract(${source}, ${WHOLE_NUMBER}, 1) as bigint)`;
}

/** Whole number as BIGINT of a text, integer, decimal or double column; null where it is none. */
export function wholeNumber(source: string, kind: ColumnKind): string {
  switch (kind) {
    case "integer":
      return `cast(${source} as bigint)`;
    case "wide-integer":
      return `case when ${source} % 1 = 0 then try_cast(${source} as bigint) end`;
    case "double": {
      // A cast would take 2^63 for the largest BIGINT.
      const inRange = `${source} >= -9223372036854775808D and ${source} < 9223372036854775808D`;
      return `case when ${source} = rint(${source}) and ${inRange} then cast(${source} as bigint) end`;
    }
    default:
      return wholeNumberText(source);
  }
}

/** floor(x / divisor) of a BIGINT: `div` cuts towards zero, which is up for negative numbers. */
export function floorDivide(x: string, divisor: number): string {
  return `case when ${x} < 0 then (${x} + 1) div ${divisor} - 1 else ${x} div ${divisor} end`;
}

/** The same CASE as DuckDB's, with Spark's own division. */
export const unitToMs = (x: string, unit: TimeUnit): string => unitToMsBy(x, unit, floorDivide);

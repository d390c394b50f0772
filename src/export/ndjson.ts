import type { Batches, ExportColumn, ExportValue } from "./columns.ts";
import { isoTime } from "./iso-time.ts";

/**
 * A JSON object a line; times are ISO 8601 in UTC. Whole numbers are written out in full, also beyond 2^53: a column has one type.
 */
export async function* ndjsonText(columns: readonly ExportColumn[], batches: Batches): AsyncGenerator<string> {
  const names = columns.map(({ name }) => `${JSON.stringify(name)}:`);
  const isTime = columns.map(({ type }) => type === "time");
  const value = (given: ExportValue, i: number): string => {
    if (typeof given === "bigint") return String(given);
    return JSON.stringify(isTime[i] ? isoTime(given) : given);
  };
  for await (const rows of batches) {
    yield rows.map((row) => `{${row.map((given, i) => `${names[i]}${value(given, i)}`).join(",")}}\n`).join("");
  }
}

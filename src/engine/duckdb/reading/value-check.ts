import { wholeNumber } from "./column-sql.ts";
import { type ReadableFile, scanGroups } from "./scan-groups.ts";
import { isZonelessText } from "./typed-text.ts";
import { type TimeUnit, unitToMs } from "./whole-ms.ts";

/** First and last ms of the years that a time may lie in (R4): 2000 to 2100, the latter exclusive. */
export const YEAR_2000_MS = 946_684_800_000;
export const YEAR_2100_MS = 4_102_444_800_000;

export const TIME_UNITS: readonly TimeUnit[] = ["s", "ms", "us", "ns"];
const TIME_COLUMNS = ["server_time", "client_time", "last_active_at"] as const;

/**
 * Reads, of files whose times are stored as numbers or text, what only the values tell. One row per file that has rows:
 * file_no, whole_numbers (of server_time), in_s, in_ms, in_us, in_ns (how many of them lie in 2000 to 2100 in that
 * unit), zoneless_server_time, zoneless_client_time, zoneless_last_active_at. Null where no file needs it.
 */
export function valueCheckSelect(files: readonly ReadableFile[]): string | null {
  const needing = files.filter((file) => TIME_COLUMNS.some((name) => needsValues(file, name)));
  if (needing.length === 0) {
    return null;
  }
  const groups = scanGroups(needing, (file) =>
    Object.fromEntries(TIME_COLUMNS.map((name) => [name, file.reading[name] ?? null])),
  );
  return groups
    .map(({ plan, files: members, from, column }) => {
      const server = plan.server_time;
      const number =
        server && NUMBERS.has(server.kind) ? wholeNumber(column(server.source), server.kind) : "CAST(NULL AS BIGINT)";
      const zoneless = TIME_COLUMNS.map((name) => {
        const reading = plan[name];
        return reading?.kind === "text" ? isZonelessText(column(reading.source)) : "FALSE";
      });
      const fileNo = lookup(members);
      const inUnits = TIME_UNITS.map(
        (unit) =>
          `count(*) FILTER (${unitToMs("number", unit)} >= ${YEAR_2000_MS} AND ${unitToMs("number", unit)} < ${YEAR_2100_MS}) AS in_${unit}`,
      );
      return `SELECT ${fileNo} AS file_no, count(number) AS whole_numbers, ${inUnits.join(", ")},
  ${TIME_COLUMNS.map((name, index) => `bool_or(zoneless_${index}) AS zoneless_${name}`).join(", ")}
FROM (SELECT file_index AS file, ${number} AS number, ${zoneless.map((sql, index) => `${sql} AS zoneless_${index}`).join(", ")}
  FROM ${from})
GROUP BY file`;
    })
    .join("\nUNION ALL\n");
}

const NUMBERS = new Set(["text", "integer", "wide-integer", "double"]);

function needsValues(file: ReadableFile, name: (typeof TIME_COLUMNS)[number]): boolean {
  const kind = file.reading[name]?.kind;
  return kind === "text" || (name === "server_time" && kind !== undefined && NUMBERS.has(kind));
}

function lookup(files: readonly ReadableFile[]): string {
  return `[${files.map((file) => file.fileNo).join(", ")}][CAST(file AS BIGINT) + 1]`;
}

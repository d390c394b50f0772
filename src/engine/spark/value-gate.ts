import { EVENT_COLUMNS } from "../duckdb/reading/event-columns.ts";
import type { EventReading } from "../duckdb/reading/event-reading.ts";
import type { ReadableFile } from "../duckdb/reading/scan-groups.ts";
import { TIME_COLUMNS, TIME_UNITS, toCheck, YEAR_2000_MS, YEAR_2100_MS } from "../duckdb/reading/value-check.ts";
import type { TimeUnit } from "../duckdb/reading/whole-ms.ts";
import type { LakeSelect } from "./raw-events.ts";
import { type PlannedScan, plannedScans, type ScanColumn } from "./scan-set.ts";
import { sparkText } from "./spark-text.ts";
import { sparkType } from "./stored-type.ts";
import { isZonelessText } from "./time-text.ts";
import { unitToMs, wholeNumber } from "./whole-numbers.ts";

/**
 * What only the values tell of the files that need it, in the columns of the DuckDB engine's `valueCheckSelect`, and `is_bad`: more than
 * half of the whole-number server_time lie outside of 2000 to 2100, or a column of an unreadable type holds a value.
 * Null where no file needs it.
 */
export function valueGate(files: readonly ReadableFile[], unit: TimeUnit): LakeSelect | null {
  const doubtful = files.filter(({ reading }) => Object.keys(toCheck(reading)).length > 0);
  if (doubtful.length === 0) return null;
  const scans = plannedScans("values", doubtful, ({ reading }) => toCheck(reading), checkedColumns);
  const found = scans.map(scanSelect).join("\nunion all\n");
  return {
    scans: scans.map(({ scan }) => scan),
    select: `select found.*, unreadable is not null or (whole_numbers - in_${unit}) * 2 > whole_numbers as is_bad
from (${found}) as found`,
  };
}

function checkedColumns(checked: EventReading): ScanColumn[] {
  return Object.values(checked).map(({ source, type, kind }) => ({
    name: source,
    type: type === "BLOB" && kind !== "unreadable" ? "string" : sparkType({ type }),
  }));
}

function scanSelect({ plan, scan, column }: PlannedScan<EventReading>): string {
  const inUnits = TIME_UNITS.map((unit) => {
    const ms = unitToMs("number", unit);
    return `count(case when ${ms} >= ${YEAR_2000_MS} and ${ms} < ${YEAR_2100_MS} then 1 end) as in_${unit}`;
  });
  const zoneless = TIME_COLUMNS.map((name) => {
    const sql = plan[name]?.kind === "text" ? isZonelessText(column(plan[name].source)) : "false";
    return `${sql} as zoneless_${name}`;
  });
  return `select file_no, count(number) as whole_numbers, ${inUnits.join(", ")},
  ${TIME_COLUMNS.map((name) => `bool_or(zoneless_${name}) as zoneless_${name}`).join(", ")}, min(unreadable) as unreadable
from (
  select file_no, ${serverNumber(plan, column)} as number, ${zoneless.join(", ")}, ${heldColumn(plan, column)} as unreadable
  from ${scan.relation}
)
group by file_no`;
}

function serverNumber({ server_time: server }: EventReading, column: (name: string) => string): string {
  return server && server.kind !== "unreadable"
    ? wholeNumber(column(server.source), server.kind)
    : "cast(null as bigint)";
}

/** Name of the first column, in the contract's order, that holds a value though its type cannot be read; NaN is no value. */
function heldColumn(plan: EventReading, column: (name: string) => string): string {
  const cases = EVENT_COLUMNS.flatMap(({ name }) => {
    const reading = plan[name];
    if (reading?.kind !== "unreadable") return [];
    const source = column(reading.source);
    const isNumber = reading.type === "DOUBLE" || reading.type === "FLOAT" ? ` and not isnan(${source})` : "";
    return [`when ${source} is not null${isNumber} then ${sparkText(name)}`];
  });
  return cases.length === 0 ? "cast(null as string)" : `case ${cases.join(" ")} end`;
}

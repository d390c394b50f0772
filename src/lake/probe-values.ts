import { EVENT_COLUMNS } from "../engine/duckdb/reading/event-columns.ts";
import type { EventReading } from "../engine/duckdb/reading/event-reading.ts";
import { needsValueCheck, TIME_COLUMNS, TIME_UNITS, valueCheckSelect } from "../engine/duckdb/reading/value-check.ts";
import type { TimeUnit } from "../engine/duckdb/reading/whole-ms.ts";
import { type BadFile, badFile, unreadableFile } from "./bad-file.ts";
import type { FileAccess } from "./file-access.ts";
import type { ProbedFile, RunSql } from "./probed-file.ts";

/**
 * Judges what a file's schema leaves open by its values. More than half of the whole-number `server_time` not of 2000 to
 * 2100 in the declared unit: bad. A column of an unreadable type: bad where it holds a value, else as good as typed NULL
 * (so writers store a column without values). Texts without a zone are noted. Gives the files that stay good, in order.
 */
export async function checkValues(
  files: readonly ProbedFile[],
  unit: TimeUnit,
  runSql: RunSql,
  bad: Map<string, BadFile>,
  access: FileAccess,
): Promise<ProbedFile[]> {
  const rows = new Map<number, Row>();
  const asked = files.filter(needsValueCheck);
  if (asked.length > 0) {
    await access.read(asked, async (batch) => {
      for (const [fileNo, row] of await valueRows(batch, runSql, bad)) rows.set(fileNo, row);
    });
  }
  return judgeValues(files, rows, unit, bad);
}

/** The same from what any engine found out: one row for each file number that it looked at. */
export function judgeValues(
  files: readonly ProbedFile[],
  rows: ReadonlyMap<number, Row>,
  unit: TimeUnit,
  bad: Map<string, BadFile>,
): ProbedFile[] {
  return files.flatMap((file) => {
    const row = rows.get(file.fileNo) ?? {};
    const problem = wrongType(file, row) ?? wrongUnit(file, row, unit);
    if (problem) {
      bad.set(file.relative, problem);
    }
    if (bad.has(file.relative)) {
      return [];
    }
    const inText = TIME_COLUMNS.filter((name) => row[`zoneless_${name}`] === true);
    return [{ ...file, reading: withoutEmpty(file.reading), zoneless: [...new Set([...file.zoneless, ...inText])] }];
  });
}

/** The columns that turned out to hold no value are as if they were not there. */
function withoutEmpty(reading: EventReading): EventReading {
  return Object.fromEntries(Object.entries(reading).filter(([, column]) => column.kind !== "unreadable"));
}

type Row = Readonly<Record<string, unknown>>;

async function valueRows(
  files: readonly ProbedFile[],
  runSql: RunSql,
  bad: Map<string, BadFile>,
): Promise<Map<number, Row>> {
  const sql = valueCheckSelect(files);
  if (sql === null) {
    return new Map();
  }
  try {
    return new Map((await runSql(sql)).map((row) => [Number(row.file_no), row]));
  } catch (error) {
    const [only] = files;
    if (only && files.length === 1) {
      bad.set(only.relative, unreadableFile(only, error));
      return new Map();
    }
  }
  const found = new Map<number, Row>();
  for (const file of files) {
    for (const [fileNo, row] of await valueRows([file], runSql, bad)) {
      found.set(fileNo, row);
    }
  }
  return found;
}

function wrongType(file: ProbedFile, row: Row): BadFile | null {
  const column = EVENT_COLUMNS.find(({ name }) => name === row.unreadable);
  const reading = column && file.reading[column.name];
  return reading
    ? badFile(file, "COLUMN_TYPE", `${reading.source} is ${reading.type}, which is not read as ${column.role}`)
    : null;
}

function wrongUnit(file: ProbedFile, row: Row, unit: TimeUnit): BadFile | null {
  const all = Number(row.whole_numbers ?? 0);
  const inUnit = (each: TimeUnit) => Number(row[`in_${each}`] ?? 0);
  const outside = all - inUnit(unit);
  if (outside * 2 <= all) {
    return null;
  }
  const fits = TIME_UNITS.find((each) => inUnit(each) * 2 >= all);
  const hint = fits === undefined ? "no unit (s, ms, us, ns) makes most of them so" : `declare timeUnit: ${fits}`;
  return badFile(
    file,
    "TIME_UNIT",
    `${outside} of ${all} server_time numbers are not ${unit} of 2000 to 2100; ${hint}`,
  );
}

import { TIME_UNITS, valueCheckSelect } from "../engine/duckdb/reading/value-check.ts";
import type { TimeUnit } from "../engine/duckdb/reading/whole-ms.ts";
import { type BadFile, badFile, readError } from "./bad-file.ts";
import type { ProbedFile, RunSql } from "./probed-file.ts";

const TIME_COLUMNS = ["server_time", "client_time", "last_active_at"];

/**
 * Judges times that are stored as numbers or text by their values: a file more than half of whose whole-number
 * `server_time` are not of 2000 to 2100 in the declared unit is bad; texts without a zone are noted. Gives the files
 * that stay good, in their order.
 */
export async function checkValues(
  files: readonly ProbedFile[],
  unit: TimeUnit,
  runSql: RunSql,
  bad: Map<string, BadFile>,
): Promise<ProbedFile[]> {
  const rows = await valueRows(files, runSql, bad);
  return files.flatMap((file) => {
    const row = rows.get(file.fileNo);
    const problem = row ? wrongUnit(row, unit) : null;
    if (problem !== null) {
      bad.set(file.relative, badFile(file, "TIME_UNIT", problem));
    }
    if (bad.has(file.relative)) {
      return [];
    }
    const inText = TIME_COLUMNS.filter((name) => row?.[`zoneless_${name}`] === true);
    return [inText.length === 0 ? file : { ...file, zoneless: [...new Set([...file.zoneless, ...inText])] }];
  });
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
      bad.set(only.relative, badFile(only, "UNREADABLE", readError(only, error)));
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

function wrongUnit(row: Row, unit: TimeUnit): string | null {
  const all = Number(row.whole_numbers);
  const inUnit = (each: TimeUnit) => Number(row[`in_${each}`]);
  const outside = all - inUnit(unit);
  if (outside * 2 <= all) {
    return null;
  }
  const fits = TIME_UNITS.find((each) => inUnit(each) * 2 >= all);
  const hint = fits === undefined ? "no unit (s, ms, us, ns) makes most of them so" : `declare timeUnit: ${fits}`;
  return `${outside} of ${all} server_time numbers are not ${unit} of 2000 to 2100; ${hint}`;
}

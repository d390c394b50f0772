import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadSql, SQL_FOLDER } from "../../src/pipeline/sql-files.ts";
import { readsOf } from "../support/sql-header.ts";
import { type CsvTable, parseCsv } from "./csv.ts";

const ROOT = fileURLToPath(new URL(".", import.meta.url));

/** One folder of rows in and rows expected. */
export interface StageCase {
  /** `40_order/ordered_events`, as the file below sql/. */
  readonly file: string;
  readonly name: string;
  /** The rules, or checks, that the folder's name begins with. */
  readonly rules: readonly string[];
  readonly inputs: ReadonlyMap<string, CsvTable>;
  readonly expected: CsvTable;
}

const folders = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();

/** All files below sql/, without `.sql`, in their order. */
export function sqlFiles(): string[] {
  return folders(SQL_FOLDER).flatMap((stage) =>
    readdirSync(join(SQL_FOLDER, stage))
      .filter((name) => name.endsWith(".sql"))
      .sort()
      .map((name) => `${stage}/${name.slice(0, -".sql".length)}`),
  );
}

export function findCases(): StageCase[] {
  const stages = folders(ROOT).filter((name) => /^\d\d_/.test(name));
  return stages.flatMap((stage) =>
    folders(join(ROOT, stage)).flatMap((relation) =>
      folders(join(ROOT, stage, relation)).map((name) => readCase(`${stage}/${relation}`, name)),
    ),
  );
}

function readCase(file: string, name: string): StageCase {
  const folder = join(ROOT, file, name);
  const tables = new Map(
    readdirSync(folder)
      .filter((entry) => entry.endsWith(".csv"))
      .map((entry) => [entry.slice(0, -".csv".length), read(join(folder, entry))]),
  );
  const expected = tables.get("expected");
  if (!expected) throw new Error(`${folder} has no expected.csv`);
  tables.delete("expected");
  const rules = /^(?:[rc]\d+-)+/.exec(name)?.[0].toUpperCase().split("-").slice(0, -1) ?? [];
  return { file, name, rules, inputs: tables, expected };
}

/** What the case's file reads. Throws where the case gives another relation. */
export function readsOfCase({ file, name, inputs }: StageCase): string[] {
  const reads = readsOf(loadSql(file));
  const unread = [...inputs.keys()].filter((relation) => !reads.includes(relation));
  if (unread.length > 0) throw new Error(`${file}/${name}: it does not read ${unread.join(", ")}`);
  return reads;
}

/**
 * A relation that a case does not give, or gives only some columns of. `defaults/` holds its rows, `blank/` says that it is
 * empty; in both the first row has the values of the columns that a case leaves out.
 */
export function defaultOf(relation: string): { table: CsvTable; rows: CsvTable["rows"] } {
  for (const [folder, isEmpty] of [
    ["defaults", false],
    ["blank", true],
  ] as const) {
    const path = join(ROOT, folder, `${relation}.csv`);
    if (!existsSync(path)) continue;
    const table = read(path);
    return { table, rows: isEmpty ? [] : table.rows };
  }
  throw new Error(`test/stages has neither defaults/${relation}.csv nor blank/${relation}.csv`);
}

const read = (path: string): CsvTable => parseCsv(readFileSync(path, "utf8"), path);

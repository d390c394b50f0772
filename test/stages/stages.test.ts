/** Every file below sql/ on rows that its cases give: rows in, rows expected, NULLs, types and the order of columns too. */
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadSql } from "../../src/pipeline/sql-files.ts";
import { readsOf } from "../support/sql-header.ts";
import { defaultOf, findCases, type StageCase, sqlFiles } from "./cases.ts";
import type { Column, CsvTable } from "./csv.ts";

const CASES = findCases();
const RULES = Array.from({ length: 22 }, (_, i) => `R${i + 1}`);
const CHECKS = Array.from({ length: 8 }, (_, i) => `C${i + 1}`);

let duckdb: DuckDBConnection;

beforeAll(async () => {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  duckdb = await instance.connect();
});
afterAll(() => duckdb.closeSync());

describe.each(sqlFiles())("%s", (file) => {
  const own = CASES.filter((found) => found.file === file);

  test("has a case", () => {
    expect(own.length, `make a folder test/stages/${file}/<rule>-<what it shows>/`).toBeGreaterThan(0);
  });

  for (const [index, found] of own.entries()) {
    test(found.name, async () => {
      expect(await run(found, `case_${file.replaceAll(/\W/g, "_")}_${index}`)).toEqual(wanted(found.expected));
    });
  }
});

test("every rule and every check is shown by a case", () => {
  const shown = new Set(CASES.flatMap(({ rules }) => rules));
  expect([...RULES, ...CHECKS].filter((rule) => !shown.has(rule))).toEqual([]);
  expect([...shown].filter((rule) => ![...RULES, ...CHECKS].includes(rule))).toEqual([]);
  expect(CASES.filter(({ rules }) => rules.length === 0).map(({ file, name }) => `${file}/${name}`)).toEqual([]);
});

test("every case belongs to a file and says in words what it shows", () => {
  expect(CASES.filter(({ file }) => !sqlFiles().includes(file)).map(({ file }) => file)).toEqual([]);
  expect(CASES.filter(({ expected }) => expected.comment === "").map(({ file, name }) => `${file}/${name}`)).toEqual(
    [],
  );
});

test("every check both fires and stays silent", () => {
  for (const check of CHECKS) {
    const own = CASES.filter(({ rules }) => rules.includes(check));
    expect(new Set(own.map(({ expected }) => expected.rows.length > 0)), check).toEqual(new Set([true, false]));
  }
});

interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** The file's SELECT over the case's relations, in a schema of its own. */
async function run(found: StageCase, schema: string): Promise<Rows> {
  const sql = loadSql(found.file);
  const reads = readsOf(sql);
  const unread = [...found.inputs.keys()].filter((relation) => !reads.includes(relation));
  if (unread.length > 0) throw new Error(`${found.file} does not read ${unread.join(", ")}`);
  await duckdb.run(`create schema ${schema}`);
  await duckdb.run(`set schema = '${schema}'`);
  for (const relation of reads) await createRelation(relation, found.inputs.get(relation));
  const described = await rowsOf(`describe (${sql})`);
  const columns = described.map((row) => ({ name: String(row[0]), type: String(row[1]).toLowerCase() }));
  const texts = columns.map(({ name }) => `cast(${name} as varchar)`);
  const rows = (await rowsOf(`select ${texts.join(", ")} from (${sql})`)) as (string | null)[][];
  return { columns: columns.map(({ name, type }) => `${name}:${type}`), rows: inOrder(rows) };
}

const wanted = ({ columns, rows }: CsvTable): Rows => ({
  columns: columns.map(({ name, type }) => `${name}:${type}`),
  rows: inOrder(rows),
});

async function createRelation(relation: string, given: CsvTable | undefined): Promise<void> {
  const { table, rows } = defaultOf(relation);
  const place = (name: string) => given?.columns.findIndex((column) => column.name === name) ?? -1;
  const unknown = given?.columns.filter(
    ({ name, type }) => !table.columns.some((c) => c.name === name && c.type === type),
  );
  if (unknown && unknown.length > 0) {
    throw new Error(`${relation} has no column ${unknown.map(({ name, type }) => `${name}:${type}`).join(", ")}`);
  }
  const full = given
    ? given.rows.map((row) =>
        table.columns.map(({ name }, i) => (place(name) >= 0 ? row[place(name)]! : (table.rows[0]?.[i] ?? null))),
      )
    : rows;
  const columns = table.columns.map(({ name, type }) => `${name} ${type}`).join(", ");
  await duckdb.run(`create table ${relation} (${columns})`);
  if (full.length === 0) return;
  const values = full.map((row) => `(${row.map((value, i) => literal(value, table.columns[i]!)).join(", ")})`);
  await duckdb.run(`insert into ${relation} values ${values.join(", ")}`);
}

const literal = (value: string | null, { type }: Column): string =>
  value === null ? "null" : `cast('${value.replaceAll("'", "''")}' as ${type})`;

async function rowsOf(sql: string): Promise<unknown[][]> {
  return (await duckdb.runAndReadAll(sql)).getRows() as unknown[][];
}

const inOrder = (rows: readonly (readonly (string | null)[])[]) =>
  [...rows].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDbSession } from "../../src/engine/duckdb/session.ts";
import { defaultOf } from "./cases.ts";
import type { Column, CsvTable } from "./csv.ts";

/** Rows as a case expects them: `name:type` columns, values as text, in no order. */
export interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** A DuckDB of one thread without files; `close` it. */
export async function openCases(): Promise<{ session: DuckDbSession; folder: string; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "presence-cases-"));
  const session = await DuckDbSession.open({ folder, threads: 1, memoryLimitBytes: null });
  const close = async () => {
    await session.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { session, folder, close };
}

let schemas = 0;

/** What follows happens in a schema of its own. */
export async function enterSchema(session: DuckDbSession): Promise<void> {
  const schema = `case_${schemas++}`;
  await session.run(`create schema ${schema}`);
  await session.run(`set schema = '${schema}'`);
}

/**
 * Makes a table of a relation's rows in their order. Without `given` it has those of `defaults/`; columns that are not given
 * have the values there, or in `blank/`.
 */
export async function createRelation(session: DuckDbSession, relation: string, given?: CsvTable): Promise<void> {
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
  await session.run(`create table ${relation} (${columns})`);
  if (full.length === 0) return;
  const values = full.map((row) => `(${row.map((value, i) => literal(value, table.columns[i]!)).join(", ")})`);
  await session.run(`insert into ${relation} values ${values.join(", ")}`);
}

const literal = (value: string | null, { type }: Column): string =>
  value === null ? "null" : `cast('${value.replaceAll("'", "''")}' as ${type})`;

/** What a SELECT gives, with its columns and their types. */
export async function resultOf(session: DuckDbSession, sql: string): Promise<Rows> {
  const described = await session.rows(`describe (${sql})`);
  const columns = described.map((row) => ({ name: String(row.column_name), type: String(row.column_type) }));
  const texts = columns.map(({ name }) => `cast(${name} as varchar) as ${name}`);
  const rows = await session.rows(`select ${texts.join(", ")} from (${sql})`);
  return {
    columns: columns.map(({ name, type }) => `${name}:${type.toLowerCase()}`),
    rows: inAnyOrder(rows.map((row) => columns.map(({ name }) => row[name] as string | null))),
  };
}

/** The rows that a case expects. */
export const wanted = ({ columns, rows }: CsvTable): Rows => ({
  columns: columns.map(({ name, type }) => `${name}:${type}`),
  rows: inAnyOrder(rows),
});

const inAnyOrder = (rows: Rows["rows"]) => [...rows].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

import type { InputTable } from "../../src/engine/engine.ts";
import { defaultOf, type StageCase } from "../stages/cases.ts";
import { readsOf } from "../support/sql-header.ts";

/** All relations that a case's SELECT reads, values as text: those that the case gives, completed, and the default ones. */
export function relationsOf(found: StageCase, sql: string): InputTable[] {
  return readsOf(sql).map((name) => {
    const given = found.inputs.get(name);
    const { table, rows } = defaultOf(name);
    const place = (column: string) => given?.columns.findIndex((each) => each.name === column) ?? -1;
    const full = given?.rows.map((row) =>
      table.columns.map((column, i) => {
        const at = place(column.name);
        return at >= 0 ? row[at]! : (table.rows[0]?.[i] ?? null);
      }),
    );
    return { name, columns: table.columns.map((column) => [column.name, column.type] as const), rows: full ?? rows };
  });
}

import type { InputTable, Value } from "../engine.ts";
import { sqlText } from "./reading/sql-text.ts";
import type { DuckDbSession } from "./session.ts";

const ROWS_AT_ONCE = 1000;

export async function createInputTable(session: DuckDbSession, table: InputTable): Promise<void> {
  const columns = table.columns.map(([name, type]) => `${name} ${type}`).join(", ");
  await session.run(`create table ${table.name} (${columns})`);
  for (let start = 0; start < table.rows.length; start += ROWS_AT_ONCE) {
    const rows = table.rows.slice(start, start + ROWS_AT_ONCE).map((row) => `(${row.map(sqlValue).join(", ")})`);
    await session.run(`insert into ${table.name} values ${rows.join(", ")}`);
  }
}

function sqlValue(value: Value): string {
  if (value === null) return "null";
  return typeof value === "string" ? sqlText(value) : String(value);
}

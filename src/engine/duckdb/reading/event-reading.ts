import { type ColumnKind, columnKind } from "./column-kind.ts";
import { EVENT_COLUMNS, type EventColumnName } from "./event-columns.ts";
import type { FileColumn } from "./file-schema.ts";

/** Where and how one column of the contract is found in a file. */
export interface ColumnReading {
  /** The column's name in the file. */
  readonly source: string;
  /** DuckDB's name of the stored type: files of different types are never read by one scan, however alike. */
  readonly type: string;
  /** `unreadable`: its type cannot be read in this role, so it must turn out to hold no value. */
  readonly kind: ColumnKind | "unreadable";
}

/** The contract's columns that a file has. */
export type EventReading = { readonly [Name in EventColumnName]?: ColumnReading };

export type ReadingProblem = {
  readonly reason: "MISSING_COLUMN" | "AMBIGUOUS_COLUMN";
  readonly detail: string;
};

/**
 * Decides how each column of the contract is read from a file. With `sequence: arrival` the file's own sequence does
 * not count and is not even looked at. Gives the first problem, in the contract's order, of a file that lacks a needed
 * column or has two for one.
 */
export function eventReading(
  columns: readonly FileColumn[],
  sequence: "column" | "arrival",
): EventReading | ReadingProblem {
  const reading: { [Name in EventColumnName]?: ColumnReading } = {};
  for (const { name, role, needed, spellings } of EVENT_COLUMNS) {
    if (name === "sequence" && sequence === "arrival") {
      continue;
    }
    const found = columns.filter((column) => spellings.includes(column.name));
    const [column] = found;
    if (!column) {
      if (needed) {
        return { reason: "MISSING_COLUMN", detail: `no column ${spellings.join(" or ")}; it has ${names(columns)}` };
      }
      continue;
    }
    if (found.length > 1) {
      return { reason: "AMBIGUOUS_COLUMN", detail: `${names(found)} are all ${name}` };
    }
    reading[name] = { source: column.name, type: column.type, kind: columnKind(column, role) ?? "unreadable" };
  }
  return reading;
}

export function isProblem(found: EventReading | ReadingProblem): found is ReadingProblem {
  return "reason" in found;
}

function names(columns: readonly FileColumn[]): string {
  const shown = columns.slice(0, 12).map((column) => column.name);
  return shown.length === 0 ? "none" : `${shown.join(", ")}${columns.length > shown.length ? ", …" : ""}`;
}

import type { InputTable, Value } from "../engine.ts";
import { SESSION_SETTINGS } from "./session-settings.ts";
import { sparkText } from "./spark-text.ts";

/** What `driver.py` reads and how; raised with every change that an older driver would misread. */
export const JOB_FORMAT = 1;

/** A small relation, as the SELECT that makes it. */
export interface JobTable {
  readonly relation: string;
  readonly sql: string;
}

/** Files that are read alike become one relation: some of their columns, and file_no, hour_ms and row_index of each row. */
export interface JobScan {
  readonly relation: string;
  /** Type in Spark's words; null: as Spark finds it. */
  readonly columns: readonly { readonly name: string; readonly as: string; readonly type: string | null }[];
  readonly files: readonly { readonly path: string; readonly fileNo: number; readonly hourMs: number }[];
}

/** `table`: written and read again; `view`: computed where it is read; `empty`: known to have no rows. */
export interface JobStep {
  readonly stage: string;
  readonly relation: string;
  readonly sql: string;
  readonly keep: "table" | "view" | "empty";
}

/** A query whose few rows are part of the result. */
export interface JobAnswer {
  readonly name: string;
  readonly sql: string;
}

/** A table to write: its rows in order, by `partition` (a column, or null) in a folder each. */
export interface JobOutput {
  readonly name: string;
  readonly sql: string;
  readonly partition: string | null;
}

/** What only the files' values tell: rows with file_no and is_bad. `stop`: any bad file ends the job there, else it is left out. */
export interface JobGate {
  readonly scans: readonly JobScan[];
  readonly sql: string;
  readonly stop: boolean;
}

/** All that a day needs to be counted anywhere that Spark runs. */
export interface SparkJob {
  readonly format: number;
  /** Unique; the result repeats it. */
  readonly job: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly tables: readonly JobTable[];
  readonly scans: readonly JobScan[];
  readonly gate: JobGate | null;
  readonly steps: readonly JobStep[];
  readonly answers: readonly JobAnswer[];
  readonly outputs: readonly JobOutput[];
}

export function sparkJob(content: Omit<SparkJob, "format" | "settings">): SparkJob {
  return { format: JOB_FORMAT, settings: SESSION_SETTINGS, ...content };
}

const TYPES = { bigint: "bigint", integer: "int", boolean: "boolean", varchar: "string" } as const;

/** A small table as a SELECT of its rows. */
export function tableSelect({ name, columns, rows }: InputTable): JobTable {
  const list = columns.map(([column, type], index) => `cast(c${index} as ${TYPES[type]}) as ${column}`).join(", ");
  const names = columns.map((_, index) => `c${index}`).join(", ");
  const shown = rows.length > 0 ? rows : [columns.map(() => null)];
  const values = shown.map((row) => `(${row.map(literal).join(", ")})`).join(", ");
  const where = rows.length > 0 ? "" : " where false";
  return { relation: name, sql: `select ${list} from values ${values} as given(${names})${where}` };
}

function literal(value: Value): string {
  if (value === null) return "null";
  return typeof value === "string" ? sparkText(value) : String(value);
}

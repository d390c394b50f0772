import { columnKind } from "../engine/duckdb/reading/column-kind.ts";
import { columnSql } from "../engine/duckdb/reading/column-sql.ts";
import { sqlText } from "../engine/duckdb/reading/sql-text.ts";
import { inputError } from "../errors.ts";
import type { Scope } from "./drift-result.ts";
import type { RealtimeColumn, RealtimeFile } from "./realtime-file.ts";

/** How a file's rows are read: SQL of its own columns, all as text but for the last two. */
export interface RealtimeShape {
  readonly scope: Scope;
  /** Who or what a row is about: a user's id, a dimension's name, ms of a minute's start. */
  readonly subject: string;
  readonly value: string;
  readonly amount: string;
  /** The column's name, for messages, and how many ms (or users) its 1 stands for. */
  readonly amountName: string;
  readonly factor: number;
  /** SQL of what rows say of themselves; null where they say nothing. */
  readonly date: string | null;
  readonly metric: string | null;
  readonly version: string | null;
  /** Of minutes: which column of `minute_online` the amount is compared with. */
  readonly minuteColumn: "online_users" | "peak_users";
}

export const DIMENSIONS = ["client_type", "channel", "app_version", "region"] as const;

const NULL_TEXT = "cast(null as varchar)";

/** Tells by the names of its columns what a file has figures of. Exit 3 where they are of nothing that is known. */
export function realtimeShape(file: RealtimeFile): RealtimeShape {
  const find = (...names: string[]) => names.map((name) => columnOf(file, name)).find((found) => found !== undefined);
  const [user, score] = [find("user_id"), find("score")];
  const [minute, online, peak] = [find("minute_start", "minute"), find("online_users"), find("peak_users")];
  const [dimension, value] = [find("dimension"), find("value")];
  const own = DIMENSIONS.map((name) => ({ name, column: find(name) })).filter(({ column }) => column !== undefined);
  const [ms, seconds] = [find("online_ms"), find("online_seconds")];
  const time = ms ?? seconds;
  const ofTime = time && { amount: textOf(file, time), amountName: time.name, factor: time === ms ? 1 : 1_000 };
  const [date, metric, version] = [find("date"), find("metric"), find("version")];
  const said = {
    date: date ? textOf(file, date) : null,
    metric: metric ? textOf(file, metric) : null,
    version: version ? textOf(file, version) : null,
    minuteColumn: online || !peak ? "online_users" : "peak_users",
  } as const;
  if (user && ofTime) {
    return { scope: "users", subject: idOf(file, user), value: NULL_TEXT, ...ofTime, ...said };
  }
  if (user && score) {
    const amount = { amount: textOf(file, score), amountName: score.name, factor: 1 };
    return { scope: "instant", subject: idOf(file, user), value: NULL_TEXT, ...amount, ...said };
  }
  if (minute && (online ?? peak)) {
    const counted = (online ?? peak)!;
    const amount = { amount: textOf(file, counted), amountName: counted.name, factor: 1 };
    return { scope: "minutes", subject: minuteOf(file, minute), value: NULL_TEXT, ...amount, ...said };
  }
  if (dimension && value && ofTime) {
    const names = { subject: textOf(file, dimension), value: textOf(file, value) };
    return { scope: "dimensions", ...names, ...ofTime, ...said };
  }
  if (own.length === 1 && ofTime) {
    const names = { subject: sqlText(own[0]!.name), value: textOf(file, own[0]!.column!) };
    return { scope: "dimensions", ...names, ...ofTime, ...said };
  }
  throw inputError(
    `the columns of ${file.path} are no figures that can be compared: ${file.columns.map(({ name }) => name).join(", ")}`,
    "Needed are user_id and online_ms (or online_seconds), dimension, value and online_ms, minute_start and online_users, or user_id and score.",
  );
}

/** A column by its snake_case name, or the same in camelCase. */
function columnOf({ columns }: RealtimeFile, name: string): RealtimeColumn | undefined {
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return columns.find((column) => column.name === name) ?? columns.find((column) => column.name === camel);
}

const fileColumn = ({ name, type }: RealtimeColumn) => ({
  name,
  type: type === '"NULL"' ? "NULL" : type,
  wholeMs: false,
  zoned: true,
});

/** Ids are compared as text: what cannot be one exactly is refused. */
function idOf(file: RealtimeFile, column: RealtimeColumn): string {
  const kind = columnKind(fileColumn(column), "text");
  if (kind !== null) return columnSql(column.sql, kind, "text", "ms").value;
  throw inputError(
    `${column.name} of ${file.path} is ${column.type}: ids would not be exact`,
    "Write ids as text or as integers.",
  );
}

function minuteOf(file: RealtimeFile, column: RealtimeColumn): string {
  const kind = columnKind(fileColumn(column), "time");
  if (kind !== null) return `cast(${columnSql(column.sql, kind, "time", "ms").value} as varchar)`;
  throw inputError(
    `${column.name} of ${file.path} is ${column.type}, no instant`,
    "Write it as a timestamp, ISO 8601 text, or ms of Unix time.",
  );
}

function textOf(file: RealtimeFile, column: RealtimeColumn): string {
  if (/\[\]|STRUCT|MAP|BLOB/.test(column.type)) {
    throw inputError(`${column.name} of ${file.path} is ${column.type}`, "Write it as a number or text.");
  }
  return `nullif(cast(${column.sql} as varchar), '')`;
}

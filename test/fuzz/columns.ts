/** How a file's encoding stores each column: a DuckDB type, and an SQL literal for each value. */
import type { RawBoolean, RawNumber, RawValues, Text } from "../oracle/types.ts";
import type { Encoding, TimeEncoding } from "./scenario.ts";

export interface Column {
  readonly name: string;
  readonly type: string;
  /** One SQL expression for each row, of that type. */
  readonly cells: readonly string[];
}

const TEXT_COLUMNS = [
  "event_id",
  "user_id",
  "session_id",
  "event_type",
  "device_id",
  "client_type",
  "channel",
  "app_version",
  "region",
] as const;
const OPTIONAL_TEXT: readonly string[] = ["device_id", "client_type", "channel", "app_version", "region"];
const YEAR_2000 = Date.UTC(2000, 0, 1);
const YEAR_2100 = Date.UTC(2100, 0, 1);

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const isUnreadable = (value: RawNumber | RawBoolean): boolean => typeof value === "object" && value !== null;
const textOf = (value: RawNumber | RawBoolean, print: (known: number | boolean) => string): Text =>
  value === null ? null : typeof value === "object" ? value.unreadable : print(value);

function textColumn(name: string, values: readonly Text[], encoding: Encoding): Column {
  const asIntegers = encoding.numericIds && values.every((value) => value !== null && /^[1-9]\d{0,15}$/.test(value));
  if (name === "user_id" && asIntegers) return { name, type: "BIGINT", cells: values.map(String) };
  const none = encoding.emptyText ? "''" : "NULL";
  return { name, type: "VARCHAR", cells: values.map((value) => (value === null ? none : literal(value))) };
}

/** Whether every value of a time column fits an encoding without being changed, or making the file a bad one. */
function timeTypeOf(values: readonly RawNumber[], wanted: TimeEncoding): TimeEncoding {
  if (values.some(isUnreadable)) return wanted === "textZ" ? "textZ" : "text";
  const times = values.filter((value) => typeof value === "number");
  const odd = times.filter((time) => time < YEAR_2000 || time >= YEAR_2100);
  // Integers that are mostly no ms of this century look like another unit.
  return wanted === "BIGINT" && odd.length * 3 > times.length ? "TIMESTAMP_MS" : wanted;
}

function timeColumn(name: string, values: readonly RawNumber[], wanted: TimeEncoding, encoding: Encoding): Column {
  const type = timeTypeOf(values, wanted);
  if (type === "text" || type === "textZ") {
    const iso = (ms: number | boolean) => new Date(Number(ms)).toISOString();
    const print = type === "textZ" ? iso : (ms: number | boolean) => iso(ms).replace("T", " ").replace("Z", "");
    return textColumn(
      name,
      values.map((value) => textOf(value, print)),
      encoding,
    );
  }
  const cells = values.map((value) => {
    if (typeof value !== "number") return "NULL";
    if (type === "BIGINT") return String(value);
    if (type === "TIMESTAMP_MS") return `make_timestamp(${value}000)`;
    const fine = `make_timestamp(${value * 1000 + encoding.micros})`;
    return type === "TIMESTAMP_NS" ? `${fine}::TIMESTAMP_NS` : fine;
  });
  return { name, type, cells };
}

function integerColumn(name: string, values: readonly RawNumber[], wanted: string, encoding: Encoding): Column {
  if (wanted === "text" || values.some(isUnreadable)) {
    return textColumn(
      name,
      values.map((value) => textOf(value, String)),
      encoding,
    );
  }
  const fits = values.every((value) => value === null || Math.abs(Number(value)) < 2 ** 31);
  const type = wanted === "INTEGER" && !fits ? "BIGINT" : wanted;
  return { name, type, cells: values.map((value) => (value === null ? "NULL" : String(value))) };
}

function booleanColumn(name: string, values: readonly RawBoolean[], encoding: Encoding): Column {
  if (encoding.booleansAsText || values.some(isUnreadable)) {
    return textColumn(
      name,
      values.map((value) => textOf(value, String)),
      encoding,
    );
  }
  return { name, type: "BOOLEAN", cells: values.map((value) => (value === null ? "NULL" : String(value))) };
}

/** Unknown columns of small whole numbers are stored as numbers where the sequence is. */
function numbersColumn(name: string, values: readonly Text[], encoding: Encoding): Column | null {
  if (encoding.sequence === "text" || !values.every((value) => value === null || /^\d$/.test(value))) return null;
  return { name, type: encoding.sequence, cells: values.map((value) => value ?? "NULL") };
}

const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A shuffled copy; the same for the same seed. */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const left = [...items];
  let state = seed;
  const result: T[] = [];
  while (left.length > 0) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    result.push(...left.splice(state % left.length, 1));
  }
  return result;
}

/** The columns of a file. They hold exactly the rows' values, however they are stored. */
export function columnsOf(rows: readonly RawValues[], encoding: Encoding): Column[] {
  const epochType = encoding.sequence === "DOUBLE" ? "DOUBLE" : "BIGINT";
  const needed: Column[] = [];
  const optional: Column[] = [];
  for (const name of TEXT_COLUMNS) {
    const column = textColumn(
      name,
      rows.map((row) => row[name]),
      encoding,
    );
    (OPTIONAL_TEXT.includes(name) ? optional : needed).push(column);
  }
  const serverTimes = rows.map((row) => row.server_time);
  const sequences = rows.map((row) => row.sequence);
  const epochs = rows.map((row) => row.session_epoch);
  needed.push(timeColumn("server_time", serverTimes, encoding.serverTime, encoding));
  needed.push(integerColumn("sequence", sequences, encoding.sequence, encoding));
  optional.push(integerColumn(encoding.shortEpoch ? "epoch" : "session_epoch", epochs, epochType, encoding));
  for (const name of ["client_time", "last_active_at"] as const) {
    const times = rows.map((row) => row[name]);
    optional.push(timeColumn(name, times, encoding.otherTimes, encoding));
  }
  for (const name of ["foreground", "active"] as const) {
    const flags = rows.map((row) => row[name]);
    optional.push(booleanColumn(name, flags, encoding));
  }
  const others = new Set(rows.flatMap((row) => Object.keys(row.others)));
  const unknown = [...others].map((name) => {
    const values = rows.map((row) => row.others[name] ?? null);
    return numbersColumn(name, values, encoding) ?? textColumn(name, values, encoding);
  });
  const isEmpty = (column: Column) => column.cells.every((cell) => cell === "NULL" || cell === "''");
  const kept = [...optional, ...unknown].filter((column) => !encoding.omitEmpty || !isEmpty(column));
  const named = [...needed, ...kept].map((column) =>
    encoding.camelCase ? { ...column, name: camel(column.name) } : column,
  );
  return shuffled(named, encoding.order);
}

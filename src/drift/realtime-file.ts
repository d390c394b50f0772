import { open, stat } from "node:fs/promises";
import { gunzipSync, constants as zlib } from "node:zlib";
import { sqlName, sqlPath, sqlText } from "../engine/duckdb/reading/sql-text.ts";
import type { DuckDbSession } from "../engine/duckdb/session.ts";
import { inputError } from "../errors.ts";

export type RealtimeFormat = "parquet" | "csv" | "ndjson";

/** A column of the file: its name there, its type in SQL, and the expression that reads it. */
export interface RealtimeColumn {
  readonly name: string;
  readonly type: string;
  readonly sql: string;
}

/** A realtime file that can be read: what stands after FROM, and its columns. */
export interface RealtimeFile {
  readonly path: string;
  readonly format: RealtimeFormat;
  readonly from: string;
  readonly columns: readonly RealtimeColumn[];
}

/** Enough for any header line, and of a compressed file for its first block. */
const HEAD_BYTES = 65_536;

/** Looks at a file's first bytes (whatever it is called) and its columns. Exit 3 where it is none of the three formats. */
export async function openRealtime(session: DuckDbSession, path: string): Promise<RealtimeFile> {
  const { head, gzip } = await readHead(path);
  if (head.length === 0) throw inputError(`the realtime file ${path} is empty`, NEEDED);
  if (head.subarray(0, 4).toString("latin1") === "PAR1") return parquetFile(session, path);
  const text = head.toString("utf8").replace(/^\ufeff/, "");
  const first = text.trimStart()[0];
  if (first === "[") throw inputError(`${path} is one JSON array`, "Write it as NDJSON: one object a line.");
  return first === "{" ? ndjsonFile(session, path, gzip) : csvFile(path, text, gzip);
}

const NEEDED = "Needed is Parquet, CSV with a header, or NDJSON.";

/** Runs a statement that reads the file; what is wrong with the file is then told as such (exit 3). */
export async function readingRealtime<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [said = "", ...rest] = message.split("\n");
    if (!/csv|json|parquet|utf-?8|unicode|invalid input/i.test(said)) throw error;
    const expected = rest.find((line) => line.startsWith("Expected"));
    throw inputError(`the realtime file ${path} cannot be read: ${[said, expected ?? ""].join(" ").trim()}`, NEEDED);
  }
}

async function readHead(path: string): Promise<{ head: Buffer; gzip: boolean }> {
  const found = await stat(path).catch(() => null);
  if (!found) throw inputError(`there is no realtime file ${path}`, "Check the path given as --realtime.");
  if (!found.isFile()) throw inputError(`${path} is no file`, "Give one file as --realtime.");
  const file = await open(path, "r").catch((cause: NodeJS.ErrnoException) => {
    throw inputError(`the realtime file ${path} cannot be opened: ${cause.code}`, "Check its permissions.");
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.subarray(0, bytesRead);
    if (head[0] !== 0x1f || head[1] !== 0x8b) return { head, gzip: false };
    return { head: gunzipSync(head, { finishFlush: zlib.Z_SYNC_FLUSH }), gzip: true };
  } finally {
    await file.close();
  }
}

async function parquetFile(session: DuckDbSession, path: string): Promise<RealtimeFile> {
  const from = `read_parquet([${sqlPath(path)}], hive_partitioning = false, binary_as_string = true)`;
  const described = await readingRealtime(path, () => session.rows(`describe select * from ${from}`));
  const columns = described.map(({ column_name, column_type }) => ({
    name: String(column_name),
    type: String(column_type),
    sql: sqlName(String(column_name)),
  }));
  return { path, format: "parquet", from, columns };
}

async function ndjsonFile(session: DuckDbSession, path: string, gzip: boolean): Promise<RealtimeFile> {
  const compression = gzip ? ", compression = 'gzip'" : "";
  const from = `read_ndjson_objects(${sqlPath(path)}${compression})`;
  const keys = await readingRealtime(path, () =>
    session.rows(`select distinct unnest(json_keys(json)) as name from ${from} order by name`),
  );
  const columns = keys.map(({ name }) => ({
    name: String(name),
    type: "VARCHAR",
    sql: `(json ->> ${sqlText(`$."${String(name).replaceAll('"', '\\"')}"`)})`,
  }));
  return { path, format: "ndjson", from, columns };
}

function csvFile(path: string, text: string, gzip: boolean): RealtimeFile {
  const line = /^[^\r\n]*/.exec(text)![0];
  const delimiter = [",", "\t", ";"].find((each) => line.includes(each)) ?? ",";
  const names = line.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, "$1"));
  const odd = names.find((name, i) => name === "" || names.indexOf(name) !== i);
  if (odd !== undefined) {
    throw inputError(
      `the header of ${path} ${odd === "" ? "has a column without a name" : `names ${odd} twice`}`,
      "The first line has to name the columns, such as user_id,online_ms.",
    );
  }
  const columns = names.map((name) => ({ name, type: "VARCHAR", sql: sqlName(name) }));
  const list = names.map((name) => `${sqlText(name)}: 'VARCHAR'`).join(", ");
  const from = `read_csv(${sqlPath(path)}, auto_detect = false, header = true, delim = ${sqlText(delimiter)},
    quote = '"', escape = '"', columns = {${list}}${gzip ? ", compression = 'gzip'" : ""})`;
  return { path, format: "csv", from, columns };
}

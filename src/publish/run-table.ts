import { createHash } from "node:crypto";
import { join } from "node:path";
import type { ObjectStore } from "../storage/object-store.ts";
import type { Part } from "./commit.ts";
import { runKey } from "./keys.ts";
import type { OutputFile } from "./output-file.ts";

/** Puts the rows of local Parquet files, one after the other, into a new one. */
export type JoinFiles = (files: readonly string[], into: string) => Promise<void>;

/** A table's files in a part, in the order of their rows; more than one only where Spark has counted a large day. */
export function tableFiles(part: Pick<Part, "files">, table: string): OutputFile[] {
  return part.files.filter(({ path }) => path.startsWith(`${table}/`)).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A table of a part as if it were one file: the path of its first, with how many follow, and a hash over all. */
export interface TableFile extends OutputFile {
  /** Absent: there is one file. */
  readonly parts?: number;
}

/** Null: the part has no such table. */
export function tableFile(part: Pick<Part, "files">, table: string): TableFile | null {
  const files = tableFiles(part, table);
  const [first] = files;
  if (first === undefined || files.length === 1) return first ?? null;
  const sum = (of: (file: OutputFile) => number) => files.reduce((total, file) => total + of(file), 0);
  const sha256 = createHash("sha256")
    .update(files.map((file) => file.sha256).join())
    .digest("hex");
  return {
    path: first.path,
    rows: sum(({ rows }) => rows),
    bytes: sum(({ bytes }) => bytes),
    sha256,
    parts: files.length,
  };
}

/** A table of a run as one file of this machine. */
export function runTableFile(
  store: ObjectStore,
  run: string,
  { path, parts = 1 }: TableFile,
  folder: string,
  joinFiles: JoinFiles,
): Promise<string> {
  const keys = Array.from({ length: parts }, (_, number) => runKey(run, partPath(path, number)));
  return asOneFile(store, keys, folder, joinFiles);
}

const partPath = (path: string, number: number): string =>
  path.replace(/part-\d{5}\.parquet$/, `part-${String(number).padStart(5, "0")}.parquet`);

/** A table of a part, from its run, as one file of this machine. Null: the part has no such table. */
export async function runTable(
  store: ObjectStore,
  part: Pick<Part, "run" | "files">,
  table: string,
  folder: string,
  joinFiles: JoinFiles,
): Promise<string | null> {
  const keys = tableFiles(part, table).map(({ path }) => runKey(part.run, path));
  return keys.length === 0 ? null : asOneFile(store, keys, folder, joinFiles);
}

/** Objects of one table, in the order of their rows, as one file of this machine. */
export async function asOneFile(
  store: ObjectStore,
  keys: readonly string[],
  folder: string,
  joinFiles: JoinFiles,
): Promise<string> {
  const files: string[] = [];
  for (const key of keys) files.push(await store.asLocalFile(key, folder));
  if (files.length === 1) return files[0]!;
  const into = join(folder, `${keys[0]!.replaceAll("/", "-")}-and-${keys.length - 1}-more.parquet`);
  await joinFiles(files, into);
  return into;
}

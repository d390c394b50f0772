import { otherColumnNames } from "../engine/duckdb/reading/other-columns.ts";
import type { Oddity } from "./listing.ts";
import type { ProbedFile } from "./probed-file.ts";

/** One file that a run has read. */
export interface ManifestInput {
  /** Relative to the lake. */
  readonly path: string;
  readonly bytes: number;
  /** UTC, ISO 8601 with nanoseconds: staleness compares it. */
  readonly mtime: string;
  /** On S3: staleness compares it instead of the time. */
  readonly etag?: string;
  readonly rows: number;
}

/** What a reader of the manifest should know about how the lake was read. */
export interface InputNotes {
  /** Files with times that name no zone, and which of their columns; such times are UTC. */
  readonly zonelessFiles: readonly { readonly path: string; readonly columns: readonly string[] }[];
  /** Columns that are none of the contract's, each once. */
  readonly unknownColumns: readonly string[];
  /** Columns that some file types NULL, each once. */
  readonly nullColumns: readonly string[];
  readonly oddities: readonly Oddity[];
}

export function manifestInputs(
  files: readonly Pick<ProbedFile, "relative" | "bytes" | "mtimeNs" | "etag" | "rows">[],
): ManifestInput[] {
  return files.map(({ relative, bytes, mtimeNs, etag, rows }) => ({
    path: relative,
    bytes,
    mtime: isoNanoseconds(mtimeNs),
    ...(etag === undefined ? {} : { etag }),
    rows,
  }));
}

export function inputNotes(files: readonly ProbedFile[], oddities: readonly Oddity[]): InputNotes {
  const zoneless = files.filter((file) => file.zoneless.length > 0);
  const nulls = new Set(
    files.flatMap((file) => file.columns.filter(({ type }) => type === "NULL").map(({ name }) => name)),
  );
  return {
    zonelessFiles: zoneless.map((file) => ({ path: file.relative, columns: file.zoneless })),
    unknownColumns: otherColumnNames(files),
    nullColumns: [...nulls].sort(),
    oddities,
  };
}

function isoNanoseconds(ns: bigint): string {
  const second = 1_000_000_000n;
  const fraction = ((ns % second) + second) % second;
  const whole = new Date(Number((ns - fraction) / 1_000_000n)).toISOString();
  return `${whole.slice(0, 19)}.${fraction.toString().padStart(9, "0")}Z`;
}

/** Why a file of the lake cannot be counted. */
export type BadFileReason =
  | "EMPTY_FILE"
  | "NOT_PARQUET"
  | "TRUNCATED"
  | "UNREADABLE"
  | "VANISHED"
  | "MISSING_COLUMN"
  | "AMBIGUOUS_COLUMN"
  | "COLUMN_TYPE"
  | "TIME_UNIT";

/** A file that fails the run, or that is quarantined. `relative` is POSIX and relative to the lake. */
export interface BadFile {
  readonly relative: string;
  readonly bytes: number;
  readonly reason: BadFileReason;
  /** One line. */
  readonly detail: string;
}

export function badFile(
  file: { readonly relative: string; readonly bytes: number },
  reason: BadFileReason,
  detail: string,
): BadFile {
  return { relative: file.relative, bytes: file.bytes, reason, detail };
}

/** The first line of what DuckDB says of a file, which it may quote bytes of, with the path that the user knows. */
export function readError(file: { readonly path: string; readonly relative: string }, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const line = message.split("\n", 1)[0] ?? "";
  return (
    line
      .replaceAll(file.path, file.relative)
      .replace(/\p{Cc}/gu, "?")
      .trim() || "unknown error"
  );
}

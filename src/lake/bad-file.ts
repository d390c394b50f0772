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

/** A file that the engine cannot read. Where the machine is at fault rather than the file, that error is thrown on. */
export function unreadableFile(
  file: { readonly path: string; readonly relative: string; readonly bytes: number },
  error: unknown,
): BadFile {
  if (isMachineFault(file.bytes, error)) throw error;
  return badFile(file, "UNREADABLE", readError(file, error));
}

const MACHINE_FAULTS = [
  /^(Out of Memory|INTERRUPT) Error\b/,
  /\b(EMFILE|ENFILE|ENOMEM|ENOSPC|EDQUOT)\b/,
  /too many open files|no space left on device|disk quota exceeded|cannot allocate memory/i,
];

/** Too little memory, too many open files, a full disk, a signal: another day the same file is read. */
function isMachineFault(fileBytes: number, error: unknown): boolean {
  const line = (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "";
  return MACHINE_FAULTS.some((words) => words.test(line)) && !asksAbsurdly(line, fileBytes);
}

const POWERS = ["", "K", "M", "G", "T", "P", "E"];
const NEVER_ABSURD = 64 * 1024 ** 2;

/** A garbled header asks for memory that no file of this size could fill. */
function asksAbsurdly(line: string, fileBytes: number): boolean {
  const [, amount, unit] = /failed to allocate data of size ([\d.]+) ([KMGTPE]?)i?B?/.exec(line) ?? [];
  const bytes = Number(amount) * 1024 ** POWERS.indexOf(unit ?? "");
  return bytes > Math.max(NEVER_ABSURD, 1_000 * fileBytes);
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

import { EXIT, inputError, PresenceError, usageError } from "../errors.ts";
import { type PostgresTarget, placeOf } from "./postgres-target.ts";

interface ServerError extends Error {
  /** SQLSTATE of the server, or the system's code of a connection that broke. */
  readonly code?: string;
  readonly detail?: string;
}

/** What keeps from connecting: exit 2 where the server refuses, 3 where it cannot be reached. */
export function connectFailure(error: unknown, target: PostgresTarget): Error {
  const { code = "", message } = error as ServerError;
  const what = `${placeOf(target)}: ${message || code}`;
  // 28: who one is; 3D: no such database; 42: permission. Without a password, pg itself says what is missing.
  if (/^(28|3D|42)/.test(code) || /password/i.test(message)) {
    return usageError(what, "Mend the URL; PGPASSWORD or ~/.pgpass hold the password.");
  }
  return inputError(what, "See that the server runs and can be reached from here, and run again.");
}

/** What ended a transaction: exit 2 where the table or the rights do not fit, 3 where it cannot hold the rows, else 1. */
export function writeFailure(error: unknown, target: PostgresTarget): Error {
  if (error instanceof PresenceError) return error;
  const { code = "", message, detail } = error as ServerError;
  const what = `${placeOf(target)}, table ${target.table}: ${message}${detail ? ` (${detail})` : ""}`;
  const before = "The rows that were there are as they were.";
  if (/^(42|3F)/.test(code))
    return usageError(what, `Mend the table or its rights, or name another one with --into. ${before}`);
  if (/^(22|23)/.test(code)) return inputError(what, `The table cannot hold these rows. ${before}`);
  return new PresenceError(EXIT.unexpected, what, { hint: `${before} Run again.`, cause: error });
}

/** Process exit codes that cron, CI and other programs rely on. */
export const EXIT = {
  done: 0,
  unexpected: 1,
  usage: 2,
  input: 3,
  gate: 4,
  outrun: 5,
  check: 6,
  sigint: 130,
  sigterm: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Where in the user's own material an error lies: a config or definition file, line and key, or a lake file. */
export interface ErrorPlace {
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  readonly key?: string;
}

/**
 * The one class of errors that a user is meant to read. `message` says what is wrong and where,
 * `hint` what to do about it; together they are the one or two lines that the command prints.
 */
export class PresenceError extends Error {
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;
  readonly place: ErrorPlace | undefined;

  constructor(
    exitCode: ExitCode,
    message: string,
    options: { hint?: string; place?: ErrorPlace; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "PresenceError";
    this.exitCode = exitCode;
    this.hint = options.hint;
    this.place = options.place;
  }
}

/** Wrong usage or configuration (exit 2): nothing was read. */
export function usageError(message: string, hint?: string, place?: ErrorPlace): PresenceError {
  return new PresenceError(EXIT.usage, message, {
    ...(hint === undefined ? {} : { hint }),
    ...(place ? { place } : {}),
  });
}

/** The input does not allow a result (exit 3): nothing was published. */
export function inputError(message: string, hint?: string, place?: ErrorPlace): PresenceError {
  return new PresenceError(EXIT.input, message, {
    ...(hint === undefined ? {} : { hint }),
    ...(place ? { place } : {}),
  });
}

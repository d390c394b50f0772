import { CommanderError } from "commander";
import { EXIT, type ExitCode, PresenceError } from "../errors.ts";
import { paintFor, printable } from "./ansi.ts";
import { dayList } from "./format.ts";
import type { Io } from "./io.ts";
import { StopSignal } from "./stop-signal.ts";
import { systemFailure } from "./system-failure.ts";

/** A failed command that knows more than its error does: the days that count already, and options of the config file. */
export class CommandFailure extends Error {
  readonly published: readonly string[];
  readonly debug: boolean;

  constructor(cause: unknown, published: readonly string[], debug: boolean) {
    super("command failed", { cause });
    this.published = published;
    this.debug = debug;
  }
}

/** Tells on stderr why a command failed, in one or two lines, and gives its exit code. */
export function reportFailure(failure: unknown, io: Io, options: { debug: boolean; signal: AbortSignal }): ExitCode {
  if (failure instanceof CommanderError) return afterParsing(failure);
  const known = failure instanceof CommandFailure ? failure : undefined;
  const error = known ? known.cause : failure;
  const published = known?.published ?? [];
  const stop = options.signal.reason;
  const stopped = options.signal.aborted && stop instanceof StopSignal;
  const paint = paintFor(io, "stderr");
  if (stopped) {
    const what = published.length ? `${dayList(published)} published before, nothing else` : "nothing was published";
    io.stderr(`${stop.message}: ${what}\n`);
  } else {
    if (published.length) io.stderr(`published before the error: ${dayList(published)}\n`);
    const { message, hint } = explain(error);
    io.stderr(`${paint.red("error:")} ${printable(message)}\n`);
    if (hint) io.stderr(`${printable(hint)}\n`);
  }
  if (options.debug || known?.debug) io.stderr(`${stacks(error)}\n`);
  if (stopped) return stop.exitCode;
  return error instanceof PresenceError ? error.exitCode : EXIT.unexpected;
}

// commander has printed what is wrong, or the help that was asked for.
function afterParsing(error: CommanderError): ExitCode {
  const asked = ["commander.help", "commander.helpDisplayed", "commander.version"];
  return asked.includes(error.code) ? EXIT.done : EXIT.usage;
}

function explain(error: unknown): { message: string; hint?: string | undefined } {
  if (error instanceof PresenceError) return error;
  const text = error instanceof Error ? error.message || error.name : String(error);
  return (
    systemFailure(error) ?? {
      message: `unexpected: ${text}`,
      hint: "this is a bug or a system failure; run again with --debug for the stack",
    }
  );
}

function stacks(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? String(error);
  return error.cause === undefined ? own : `${own}\ncaused by ${stacks(error.cause)}`;
}

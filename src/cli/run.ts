import { EXIT, type ExitCode } from "../errors.ts";
import { reportFailure } from "./failure.ts";
import type { Io, Runtime } from "./io.ts";
import { createProgram } from "./program.ts";

/** Runs one command line and gives its exit code; whatever fails is told on stderr. */
export async function run(args: readonly string[], io: Io, runtime: Partial<Runtime> = {}): Promise<ExitCode> {
  const signal = runtime.signal ?? new AbortController().signal;
  try {
    await createProgram(io, { ...runtime, signal }).parseAsync([...args], { from: "user" });
    return EXIT.done;
  } catch (error) {
    return reportFailure(error, io, { debug: wantsDebug(args, io), signal });
  }
}

/** Asked of the words themselves: an option that cannot be read may be the very error. */
export function wantsDebug(args: readonly string[], io: Pick<Io, "env">): boolean {
  return args.includes("--debug") || ["1", "true"].includes(io.env.PRESENCE_BATCH_DEBUG ?? "");
}

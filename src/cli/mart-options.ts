import { PresenceError, usageError } from "../errors.ts";
import { type MergedOptions, readOptions } from "../plan/config.ts";
import { flagName } from "../plan/option-table.ts";
import { CommandFailure } from "./failure.ts";
import type { Io } from "./io.ts";

export type Flags = Readonly<Record<string, unknown>>;

/** The options of a command on a mart from all sources, and the location of the mart. */
export function readMartOptions(flags: Flags, io: Io): MergedOptions & { readonly out: string } {
  const merged = readOptions({ flags, env: io.env, cwd: io.cwd });
  return { ...merged, out: needed(merged.values.out, "out", "the mart", "--out /data/mart") };
}

export function needed<T>(value: T | undefined, option: string, what: string, example: string): T {
  if (value !== undefined) return value;
  throw usageError(`${flagName(option)} is missing: ${what} has no default`, `for example ${example}`, {
    key: flagName(option),
  });
}

export const neededLake = (lake: string | undefined, why: string): string =>
  needed(lake, "lake", `the event lake, ${why},`, "--lake /data/lake or --lake s3://bucket/events");

/** Reads a value that only this command has; its errors say whose it is. */
export function named<T>(option: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof PresenceError)) throw error;
    throw usageError(`${flagName(option)}: ${error.message}`, error.hint, { key: flagName(option) });
  }
}

/** Runs a command's use case so that its failure knows of `debug` in the config file. */
export async function reporting<T>({ values }: MergedOptions, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new CommandFailure(error, [], values.debug ?? false);
  }
}

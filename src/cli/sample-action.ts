import { resolve } from "node:path";
import { PresenceError, usageError } from "../errors.ts";
import { resolveDays } from "../plan/days.ts";
import { flagName } from "../plan/option-table.ts";
import * as value from "../plan/option-values.ts";
import { parseZone } from "../plan/zone.ts";
import type { SampleOptions, SampleProgress, SampleResult } from "../usecases/sample.ts";
import { printable } from "./ansi.ts";
import { count, countOf, seconds } from "./format.ts";
import type { Io } from "./io.ts";
import { printJson } from "./json.ts";

type Flags = Readonly<Record<string, unknown>>;

/** `sample`: flags only, since `out` and the days of a config file are those of a mart. */
export async function sampleAction(flags: Flags, io: Io, signal: AbortSignal): Promise<void> {
  const options = readSampleOptions(flags, io);
  const { sample } = await import("../usecases/sample.ts");
  signal.throwIfAborted();
  const live = io.isTTY.stderr && io.env.TERM !== "dumb";
  const clear = () => live && io.stderr("\r\x1b[K");
  let result: SampleResult;
  try {
    result = await sample(options, { signal, progress: (step) => io.stderr(progressText(step, live)) });
  } finally {
    clear();
  }
  if (flags.json) printJson(io, "sample", result);
  else io.stdout(sampleReport(result));
}

function progressText({ done, of, events }: SampleProgress, live: boolean): string {
  const text = `part ${done}/${of}: ${countOf(events, "event")}`;
  return live ? `\r${text}\x1b[K` : `${text}\n`;
}

function readSampleOptions(flags: Flags, io: Io): SampleOptions {
  const read = <T>(name: string, reader: value.ValueReader<T>, otherwise: T): T =>
    flags[name] === undefined ? otherwise : named(name, () => reader(flags[name], false));
  const needed = (name: string, what: string, example: string): string => {
    if (flags[name] !== undefined) return String(flags[name]);
    throw usageError(`${flagName(name)} is missing: ${what} has no default`, `for example ${example}`);
  };
  const out = needed("out", "the lake to write", "--out sample-lake");
  const zone = needed("tz", "the business time zone", "--tz Asia/Shanghai (or UTC)");
  const from = needed("from", "the first business day", "--from 2026-07-28");
  if (named("out", () => value.location(out, false)).startsWith("s3://")) {
    throw usageError("--out: a sample is written to a folder", "write it to a folder, then copy it to the bucket");
  }
  const tz = named("tz", () => parseZone(zone));
  return {
    out: resolve(io.cwd, out),
    zone: tz,
    from: named("from", () => resolveDays({ kind: "date", date: from }, tz, io.now())[0]!),
    days: read("days", value.integer(1, 366), 2),
    users: read("users", value.integer(1, 10_000_000), 1_000),
    seed: read("seed", value.integer(0, 1_000_000_000), 1),
    truth: flags.truth === true,
    threads: read<number | null>("threads", value.integer(1, 1_024), null),
    memoryLimitBytes: read<number | null>("memoryLimit", value.size, null),
  };
}

/** Errors of a value say whose it is. */
function named<T>(option: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof PresenceError)) throw error;
    throw usageError(`${flagName(option)}: ${error.message}`, error.hint, { key: flagName(option) });
  }
}

function sampleReport(result: SampleResult): string {
  const { businessDays: days, zone, users, sessions, events, files } = result;
  const last = days.length > 1 ? ` to ${days.at(-1)}` : "";
  const truth = result.truth ? ["what people really did is in _truth/\n"] : [];
  return [
    `${countOf(events, "event")} of ${countOf(users, "user")} in ${countOf(sessions, "session")}, `,
    `${count(files)} files in ${printable(result.out)} after ${seconds(result.seconds)} s\n`,
    `business ${days.length > 1 ? "days" : "day"} ${days[0]}${last} of ${zone}\n`,
    ...truth,
    `to count the last one: presence-batch rebuild --date ${days.at(-1)} --tz ${zone} --lake ${printable(result.out)} --out mart\n`,
  ].join("");
}

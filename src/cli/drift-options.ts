import { resolve } from "node:path";
import type { RowLimit } from "../drift/drift-result.ts";
import { DEFAULT_THRESHOLDS, type DriftThresholds } from "../drift/thresholds.ts";
import { usageError } from "../errors.ts";
import type { MergedOptions } from "../plan/config.ts";
import { parseDuration } from "../plan/duration.ts";
import { parseInstant } from "../plan/instant.ts";
import * as value from "../plan/option-values.ts";
import { parseShare } from "../plan/percent.ts";
import { parseZone } from "../plan/zone.ts";
import type { DriftOptions } from "../usecases/drift-basis.ts";
import { type Flags, named, needed } from "./mart-options.ts";

const WORST = 10;
const MAX_WORST = 1_000;
const MONTH = 31 * 24 * 3_600_000;

/** The options of a comparison; `cwd` is what the realtime file's path is relative to. */
export function driftOptions(
  { values, days, out }: MergedOptions & { readonly out: string },
  flags: Flags,
  cwd: string,
): DriftOptions {
  const read = <T>(name: string, reader: value.ValueReader<T>, otherwise: T): T =>
    flags[name] === undefined ? otherwise : named(name, () => reader(flags[name], false));
  const atMs = read<number | null>("at", (given) => parseInstant(String(given)), null);
  if (days.kind !== "date" && (atMs === null || days.kind !== "none")) {
    throw usageError("--date is missing: one day at a time is compared", "for example --date 2026-07-29, or yesterday");
  }
  const file = needed(flags.realtime, "realtime", "the realtime layer's file", "--realtime realtime.csv");
  if (String(file).startsWith("s3://")) {
    throw usageError("--realtime: must be a file of this machine, not in a bucket", "fetch it first: aws s3 cp …");
  }
  return {
    days,
    realtime: resolve(
      cwd,
      named("realtime", () => value.text("a file")(file, false)),
    ),
    out,
    metric: metricOf(flags.metric),
    lake: values.lake ?? null,
    realtimeZone: read<string | null>("realtimeTz", (given) => parseZone(String(given)), null),
    atMs,
    withinMs: read<number | null>("within", value.duration(MONTH), null),
    thresholds: thresholds(read),
    worst: read("worst", value.integer(1, MAX_WORST), WORST),
    record: flags.record !== false,
    threads: values.threads ?? null,
    memoryLimitBytes: values.memoryLimit ?? null,
    tempDir: values.tempDir ?? null,
  };
}

/** One definition of the mart by its name. The flag only: a config file lists what is built. */
export function metricOf(given: unknown): string | null {
  if (given === undefined) return null;
  const [metric, ...others] = given as string[];
  if (others.length > 0) throw usageError("--metric: one definition at a time is compared", `for example ${metric}`);
  if (/^[a-z][a-z0-9-]*(@[1-9]\d{0,9})?$/.test(metric!)) return metric!;
  throw usageError(
    `--metric: must be a definition of the mart, not ${JSON.stringify(metric)}`,
    "write foreground or foreground@1",
  );
}

function thresholds(read: <T>(name: string, reader: value.ValueReader<T>, otherwise: T) => T): DriftThresholds {
  const { toleranceMs, total, user, usersOver, minute, minutesOver } = DEFAULT_THRESHOLDS;
  return {
    toleranceMs: read("tolerance", value.duration(MONTH), toleranceMs),
    total: read("maxTotalDrift", value.share, total),
    user: read("maxUserDrift", (given) => rowLimit(String(given), user, "5%,60s", parseDuration), user),
    usersOver: read("maxUsersOver", value.share, usersOver),
    minute: read("maxMinuteDrift", (given) => rowLimit(String(given), minute, "5%,10", wholeNumber), minute),
    minutesOver: read("maxMinutesOver", value.share, minutesOver),
  };
}

/** A share, an amount, or both with a comma between; what is left out stays as it is by default. */
function rowLimit(text: string, usual: RowLimit, example: string, amountOf: (text: string) => number): RowLimit {
  const parts = text.split(",").map((part) => part.trim());
  const shares = parts.filter((part) => part.endsWith("%"));
  const amounts = parts.filter((part) => !part.endsWith("%"));
  if (shares.length > 1 || amounts.length > 1 || parts.includes("")) {
    throw usageError(
      `${JSON.stringify(text)} is no limit such as ${example}`,
      "write a share in percent, an amount, or both",
    );
  }
  return {
    share: shares[0] === undefined ? usual.share : parseShare(shares[0]),
    amount: amounts[0] === undefined ? usual.amount : amountOf(amounts[0]),
  };
}

function wholeNumber(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw usageError(`${JSON.stringify(text)} is no number of users`, "write a whole number, or a share such as 5%");
}

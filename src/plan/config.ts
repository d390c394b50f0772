import { sep } from "node:path";
import { usageError } from "../errors.ts";
import type { DayRequest } from "./days.ts";
import { formatDuration } from "./duration.ts";
import { type OptionInputs, type OptionSource, readSources } from "./option-sources.ts";
import { flagName, type OptionName, type OptionValues } from "./option-table.ts";
import { DEFAULT_METRICS, DEFAULT_STALE_DAYS, type RebuildOptions } from "./rebuild-options.ts";
import { type S3Options, s3Options } from "./s3-options.ts";
import { DEFAULT_SETTINGS, type LakeSettings } from "./settings.ts";
import { sparkOptions } from "./spark-options.ts";

/** Options of all sources together: the strongest source that gives an option decides. */
export interface MergedOptions {
  readonly values: OptionValues;
  readonly days: DayRequest;
  readonly settings: LakeSettings;
  readonly s3: S3Options;
}

/** Reads flags, `PRESENCE_BATCH_*` variables and the config file; usage errors say where the wrong value was given. */
export function readOptions(inputs: OptionInputs): MergedOptions {
  const sources = readSources(inputs);
  const values: Partial<Record<OptionName, unknown>> = {};
  for (const source of sources.toReversed()) {
    for (const [option, value] of source.values) values[option] = value;
  }
  return {
    values: values as OptionValues,
    days: dayRequest(sources),
    settings: lakeSettings(values as OptionValues, sources),
    s3: s3Options(values as OptionValues),
  };
}

export interface RebuildRequest extends RebuildOptions {
  readonly s3: S3Options;
}

/** What `rebuild` needs. Zone, lake and out have no defaults: a guess of any would give numbers that nobody asked for. */
export function readRebuildOptions(inputs: OptionInputs): RebuildRequest {
  const { values, days, settings, s3 } = readOptions(inputs);
  const engine = values.engine ?? (values.emit === undefined ? "duckdb" : "spark");
  if (engine !== "spark") refuseSparkOptions(inputs.flags, values);
  const stale = values.stale ?? false;
  if (values.lake !== undefined && values.out !== undefined) refuseMartInLake(values.lake, values.out);
  return {
    days: stale && days.kind === "none" ? { kind: "last", count: DEFAULT_STALE_DAYS } : days,
    stale,
    metrics: values.metric ?? [...DEFAULT_METRICS],
    zone: required(values.tz, "tz", "the business time zone", "--tz Asia/Shanghai (or UTC)"),
    lake: required(values.lake, "lake", "the event lake", "--lake /data/lake or --lake s3://bucket/events"),
    out: required(values.out, "out", "the mart to write", "--out /data/mart or --out s3://bucket/mart"),
    settings,
    s3,
    onBadFile: values.onBadFile ?? "fail",
    missingHours: values.missingHours ?? 0,
    allowUnfinished: values.allowUnfinished ?? false,
    maxQuarantined: values.maxQuarantined ?? null,
    dryRun: values.dryRun ?? false,
    force: values.force ?? false,
    engine,
    spark: sparkOptions(values, inputs.env),
    threads: values.threads ?? null,
    memoryLimitBytes: values.memoryLimit ?? null,
    tempDir: values.tempDir ?? null,
    json: values.json ?? false,
    profile: values.profile ?? false,
    debug: values.debug ?? false,
  };
}

/** A config file may well say how Spark is reached for the runs that ask for it; a flag is meant for this one. */
function refuseSparkOptions(flags: OptionInputs["flags"], values: OptionValues): void {
  const given = values.emit === undefined ? SPARK_FLAGS.find((option) => flags[option] !== undefined) : "emit";
  if (given === undefined) return;
  throw usageError(`${flagName(given)} is for --engine spark only`, "Add --engine spark, or leave it out.", {
    key: flagName(given),
  });
}

const SPARK_FLAGS = ["sparkSubmit", "sparkDir"] as const;

/** The lake would then hold the mart's tables, below the names of partitions, too. */
function refuseMartInLake(lake: string, out: string): void {
  if (out !== lake && !out.startsWith(lake.endsWith(sep) ? lake : `${lake}${sep}`)) return;
  const what = out === lake ? "the lake itself" : `a folder of the lake ${lake}`;
  throw usageError(`${flagName("out")} ${out} is ${what}`, "Give the mart a folder outside of the lake.", {
    key: flagName("out"),
  });
}

function required(value: string | undefined, option: OptionName, what: string, example: string): string {
  if (value !== undefined) return value;
  throw usageError(`${flagName(option)} is missing: ${what} has no default`, `for example ${example}`, {
    key: flagName(option),
  });
}

// Days are one choice: a --date must not meet the `last` of a config file. So the strongest source that names any decides alone.
function dayRequest(sources: readonly OptionSource[]): DayRequest {
  const names = ["date", "from", "to", "last"] as const;
  const source = sources.find(({ values }) => names.some((name) => values.has(name)));
  if (!source) return { kind: "none" };
  const given = names.filter((name) => source.values.has(name));
  const read = (name: OptionName) => source.values.get(name);
  switch (given.join(" ")) {
    case "date":
      return { kind: "date", date: read("date") as string };
    case "last":
      return { kind: "last", count: read("last") as number };
    case "from to":
      return { kind: "range", from: read("from") as string, to: read("to") as string };
    case "from":
    case "to":
      throw source.fault(
        given[0]!,
        "the other end is missing",
        `give both ${source.name("from")} and ${source.name("to")}; both days are included`,
      );
    default:
      throw source.fault(
        given.at(-1)!,
        `does not go with ${source.name(given[0]!)}`,
        `name days by ${source.name("date")}, by ${source.name("from")} and ${source.name("to")}, or by ${source.name("last")}`,
      );
  }
}

function lakeSettings(values: OptionValues, sources: readonly OptionSource[]): LakeSettings {
  const settings: LakeSettings = {
    lookbackMs: values.lookback ?? DEFAULT_SETTINGS.lookbackMs,
    lookaheadMs: values.lookahead ?? DEFAULT_SETTINGS.lookaheadMs,
    partitionSlackMs: values.partitionSlack ?? DEFAULT_SETTINGS.partitionSlackMs,
    allowedLatenessMs: values.allowedLateness ?? DEFAULT_SETTINGS.allowedLatenessMs,
    maxSequenceJump: values.maxSequenceJump ?? DEFAULT_SETTINGS.maxSequenceJump,
    serverTimeoutMs: values.serverTimeout ?? DEFAULT_SETTINGS.serverTimeoutMs,
    timeoutCloses: values.timeoutCloses ?? DEFAULT_SETTINGS.timeoutCloses,
    eventTypes: values.eventTypes ?? DEFAULT_SETTINGS.eventTypes,
    sequence: values.sequence ?? DEFAULT_SETTINGS.sequence,
    timeUnit: values.timeUnit ?? DEFAULT_SETTINGS.timeUnit,
  };
  if (settings.allowedLatenessMs > settings.lookaheadMs) {
    const option = values.allowedLateness === undefined ? "lookahead" : "allowedLateness";
    const source = sources.find((candidate) => candidate.values.has(option))!;
    const lateness = `allowedLateness ${formatDuration(settings.allowedLatenessMs)}`;
    const lookahead = `lookahead ${formatDuration(settings.lookaheadMs)}`;
    throw source.fault(
      option,
      `${lateness} is more than ${lookahead}`,
      "an event later than that would not be read at all",
    );
  }
  return settings;
}

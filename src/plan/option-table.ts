import { checkDay, MAX_DAYS } from "./days.ts";
import * as value from "./option-values.ts";
import { nearest } from "./suggest.ts";
import { parseZone } from "./zone.ts";

const HOUR = 3_600_000;
const MONTH = 31 * 24 * HOUR;

const day: value.ValueReader<string> = (given, typed) =>
  checkDay(value.text("a day: YYYY-MM-DD, yesterday or today")(given, typed));

const zone: value.ValueReader<string> = (given, typed) =>
  parseZone(value.text("an IANA Area/City such as Asia/Shanghai, or UTC")(given, typed));

/** The lake settings of a mart by their names in a config file; durations are read as ms. */
export const SETTING_OPTIONS = {
  lookback: value.duration(MONTH),
  lookahead: value.duration(MONTH),
  partitionSlack: value.duration(24 * HOUR),
  allowedLateness: value.duration(MONTH),
  maxSequenceJump: value.integer(1, 1_000_000_000_000),
  serverTimeout: value.duration(24 * HOUR),
  timeoutCloses: value.flag,
  eventTypes: value.eventTypes,
  sequence: value.choice("column", "arrival"),
  timeUnit: value.choice("s", "ms", "us", "ns"),
} as const;

/** Every option of `rebuild` by its name in a config file, and how its value is read. */
export const OPTIONS = {
  date: day,
  from: day,
  to: day,
  last: value.integer(1, MAX_DAYS),
  stale: value.flag,
  metric: value.names,
  tz: zone,
  lake: value.location,
  out: value.location,
  onBadFile: value.choice("fail", "quarantine"),
  missingHours: value.integer(0, 48),
  allowUnfinished: value.flag,
  maxQuarantined: value.share,
  dryRun: value.flag,
  engine: value.choice("duckdb", "spark"),
  sparkSubmit: value.text("a command such as spark-submit --master yarn"),
  sparkDir: value.location,
  emit: value.location,
  collect: value.location,
  threads: value.integer(1, 1_024),
  memoryLimit: value.size,
  tempDir: value.text("a folder"),
  region: value.text("a region such as eu-central-1"),
  endpoint: value.endpoint,
  pathStyle: value.flag,
  requestPayer: value.flag,
  sseKmsKey: value.text("a KMS key's id or ARN"),
  downloadConcurrency: value.integer(1, 64),
  stagingLimit: value.size,
  json: value.flag,
  profile: value.flag,
  debug: value.flag,
  force: value.flag,
  ...SETTING_OPTIONS,
} as const;

export type OptionName = keyof typeof OPTIONS;

export type OptionValues = { readonly [K in OptionName]?: ReturnType<(typeof OPTIONS)[K]> };

export const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[];

export const VARIABLE_PREFIX = "PRESENCE_BATCH_";

/** What other programs call these options. */
const OTHER_NAMES: ReadonlyMap<string, OptionName> = new Map([
  ["timezone", "tz"],
  ["zone", "tz"],
  ["mart", "out"],
  ["output", "out"],
  ["input", "lake"],
  ["definition", "metric"],
  ["definitions", "metric"],
  ["memory", "memoryLimit"],
  ["tmpdir", "tempDir"],
]);

/** The option that a word which is none most likely means; undefined where none is near. */
export function optionMeant(word: string): OptionName | undefined {
  const other = OTHER_NAMES.get(word.toLowerCase().replace(/[-_]/g, ""));
  return other ?? (nearest(word, OPTION_NAMES) as OptionName | undefined);
}

/** `missingHours` → `--missing-hours`. */
export function flagName(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** `missingHours` → `PRESENCE_BATCH_MISSING_HOURS`. */
export function variableName(option: string): string {
  return VARIABLE_PREFIX + option.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

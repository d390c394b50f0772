import type { DayRequest } from "./days.ts";
import type { LakeSettings } from "./settings.ts";
import type { SparkOptions } from "./spark-options.ts";

/** What `rebuild` was asked to do, from flags, environment and config file together. Paths are absolute or `s3://…`. */
export interface RebuildOptions {
  readonly days: DayRequest;
  /** Of those days, only the missing and stale ones. */
  readonly stale: boolean;
  /** Built-in names or definition files, each a single one. */
  readonly metrics: readonly string[];
  /** The business time zone: an IANA Area/City or `UTC`. */
  readonly zone: string;
  readonly lake: string;
  readonly out: string;
  readonly settings: LakeSettings;
  readonly onBadFile: "fail" | "quarantine";
  /** How many of a day's own UTC hours may have no partition. */
  readonly missingHours: number;
  readonly allowUnfinished: boolean;
  /** Share (0 to 1) of quarantined events above which a day is refused; null for no limit. */
  readonly maxQuarantined: number | null;
  readonly dryRun: boolean;
  readonly force: boolean;
  readonly engine: "duckdb" | "spark";
  /** Of the engine spark. */
  readonly spark?: SparkOptions;
  /** Null for the engine's own choice. */
  readonly threads: number | null;
  /** Null for the default share of the machine's memory. */
  readonly memoryLimitBytes: number | null;
  readonly tempDir: string | null;
  readonly json: boolean;
  /** Show what each step took. */
  readonly profile: boolean;
  readonly debug: boolean;
}

export const DEFAULT_METRICS = ["connected", "foreground", "active"] as const;

/** The days that `--stale` looks at where none are named. */
export const DEFAULT_STALE_DAYS = 7;

import { DEFAULT_METRICS, type RebuildOptions } from "../../src/plan/rebuild-options.ts";
import { DEFAULT_SETTINGS } from "../../src/plan/settings.ts";
import type { RebuildEffects } from "../../src/usecases/rebuild-result.ts";

/** Options of a rebuild of one day as the command line would give them, but for what a test says. */
export function optionsOf(
  given: Partial<RebuildOptions> & { readonly lake: string; readonly out: string; readonly date: string },
): RebuildOptions {
  const { date, ...rest } = given;
  return {
    days: { kind: "date", date },
    stale: false,
    metrics: DEFAULT_METRICS,
    zone: "UTC",
    settings: DEFAULT_SETTINGS,
    onBadFile: "fail",
    missingHours: 0,
    allowUnfinished: false,
    maxQuarantined: null,
    dryRun: false,
    force: false,
    engine: "duckdb",
    threads: 1,
    memoryLimitBytes: null,
    tempDir: null,
    json: false,
    profile: false,
    debug: false,
    ...rest,
  };
}

/** Effects of a run at a fixed instant, long after any test's day, that tells nobody anything. */
export function fixedEffects(given: Partial<RebuildEffects> = {}): RebuildEffects {
  return {
    nowMs: Date.UTC(2026, 11, 1),
    progress() {},
    warn() {},
    signal: new AbortController().signal,
    ...given,
  };
}

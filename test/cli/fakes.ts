import { fileURLToPath } from "node:url";
import type { Io, RebuildUsecase } from "../../src/cli/io.ts";
import { run } from "../../src/cli/run.ts";
import type { RebuildOptions } from "../../src/plan/rebuild-options.ts";
import type { DayResult, RebuildEffects, RebuildPlan, RebuildResult } from "../../src/usecases/rebuild-result.ts";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Flags that a rebuild cannot do without. */
export const NEEDED = ["--date", "2026-07-29", "--lake", "lake", "--out", "out", "--tz", "UTC"];

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process. */
export async function runFake(
  args: readonly string[],
  options: { io?: Partial<Io>; rebuild?: Partial<RebuildUsecase>; signal?: AbortSignal } = {},
): Promise<Ran> {
  let stdout = "";
  let stderr = "";
  const io: Io = {
    stdout(text) {
      stdout += text;
    },
    stderr(text) {
      stderr += text;
    },
    async pipe(chunk) {
      stdout += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("latin1");
      return true;
    },
    env: {},
    cwd: ROOT,
    isTTY: { stdout: false, stderr: false },
    columns: 80,
    now: () => Date.UTC(2026, 7, 1),
    version: () => ({ tool: "1.2.3", engine: "duckdb 9.8.7", rules: 4, timeZoneData: "2099z" }),
    ...options.io,
  };
  const loadRebuild = async () => ({ ...quietRebuild(), ...options.rebuild });
  const code = await run(args, io, { loadRebuild, ...(options.signal ? { signal: options.signal } : {}) });
  return { code, stdout, stderr };
}

/** A rebuild that remembers what it was asked for. */
export function recordingRebuild(): { usecase: RebuildUsecase; options: RebuildOptions[]; effects: RebuildEffects[] } {
  const options: RebuildOptions[] = [];
  const effects: RebuildEffects[] = [];
  const usecase: RebuildUsecase = {
    async rebuild(given, with_) {
      options.push(given);
      effects.push(with_);
      return RESULT;
    },
    planRebuild: async () => PLAN,
  };
  return { usecase, options, effects };
}

function quietRebuild(): RebuildUsecase {
  return { rebuild: async () => RESULT, planRebuild: async () => PLAN };
}

export const DAY: DayResult = {
  day: "2026-07-29",
  runId: "r1-2026-07-29",
  published: "files",
  commit: 1,
  zone: "UTC",
  lengthMs: 86_400_000,
  complete: true,
  incompleteBecause: [],
  files: 50,
  bytes: 12_345_678,
  badFiles: [],
  events: {
    owned: 1_234_567,
    accepted: 1_234_500,
    quarantined: { EVENT_AFTER_CLOSE: 7, DUPLICATE_EVENT: 60 },
    reordered: 0,
    unreadOptional: {},
  },
  metrics: [
    {
      metric: "connected",
      version: 1,
      users: 10_000,
      onlineMs: 4_442_706_789,
      sessionMs: 5_000_000_000,
      sessions: 12_345,
      quarantinedSessions: 0,
      sessionsOfUnknownState: 0,
    },
    {
      metric: "foreground",
      version: 1,
      users: 9_000,
      onlineMs: 59_000,
      sessionMs: 60_000,
      sessions: 12_000,
      quarantinedSessions: 2,
      sessionsOfUnknownState: 1,
    },
  ],
  warnings: [],
  seconds: 12.34,
  profile: [
    {
      stage: "day",
      step: "user_daily",
      seconds: 0.25,
      rowsIn: 1_234,
      rowsOut: 567,
      peakRssBytes: 200_000_000,
      spilledBytes: 0,
    },
  ],
};

export const RESULT: RebuildResult = { out: "/mart", days: [DAY] };

export const PLAN: RebuildPlan = {
  zone: "UTC",
  lake: "/lake",
  out: "/mart",
  definitions: [{ metric: "foreground", version: 1, online: "foreground", hash: "0123456789abcdef" }],
  refused: ["2026-07-30 is not over yet"],
  days: [
    {
      day: "2026-07-29",
      start: "2026-07-29T00:00:00.000Z",
      end: "2026-07-30T00:00:00.000Z",
      readFrom: "2026-07-28T00:00:00.000Z",
      readTo: "2026-07-30T01:00:00.000Z",
      files: 49,
      bytes: 1_500,
      missingHours: ["2026-07-29T07"],
      missingMarginHours: [],
      oddities: [{ path: "notes.txt", reason: "no Parquet file" }],
      why: [{ definition: "foreground@1", state: "stale", reasons: ["input", "rules"] }],
      stages: ["readings", "points"],
      outputs: ["user_daily/metric=foreground/version=1/date=2026-07-29/part-00000.parquet"],
    },
  ],
};

import type { EventCounts, MetricCounts } from "../pipeline/read-counts.ts";
import type { DayStep } from "./count-day.ts";
import type { DayState, StaleReason } from "./day-state.ts";
import type { MartEffects } from "./mart-access.ts";

/** What a rebuild tells while it runs, and what it came to. No printing here: the command line decides how it looks. */

/** `signal` is aborted by SIGINT or SIGTERM: the run stops, publishes nothing more and removes its private folder. */
export interface RebuildEffects extends MartEffects {
  progress(event: ProgressEvent): void;
  /** One line for people, on stderr; the same text is in the result's warnings. */
  warn(text: string): void;
}

export type ProgressEvent =
  | { readonly kind: "plan"; readonly days: number; readonly definitions: readonly string[]; readonly files: number }
  | { readonly kind: "day"; readonly day: string; readonly files: number; readonly bytes: number }
  | {
      readonly kind: "stage";
      readonly day: string;
      readonly stage: string;
      readonly index: number;
      readonly of: number;
    }
  | { readonly kind: "published"; readonly day: string; readonly seconds: number };

export interface MetricResult extends MetricCounts {
  readonly metric: string;
  readonly version: number;
}

export interface DayResult {
  readonly day: string;
  /** Names the run's folder below `<out>/_presence/runs/`. */
  readonly runId: string;
  /** `files`: new ones are published; `inputs`: the rows are the same, new inputs are on record; `nothing`: it was all there. */
  readonly published: "files" | "inputs" | "nothing";
  /** The date's commit that this run has made, if any. */
  readonly commit: number | null;
  readonly zone: string;
  readonly lengthMs: number;
  readonly complete: boolean;
  /** Why it is not complete. */
  readonly incompleteBecause: readonly string[];
  readonly files: number;
  readonly bytes: number;
  readonly badFiles: readonly { readonly path: string; readonly reason: string; readonly detail: string }[];
  readonly events: EventCounts;
  readonly metrics: readonly MetricResult[];
  readonly warnings: readonly string[];
  readonly seconds: number;
  /** What each step took, in the order of the run. */
  readonly profile: readonly DayStep[];
}

export interface RebuildResult {
  readonly out: string;
  readonly days: readonly DayResult[];
}

/** A job of `--emit`. */
export interface EmittedJob {
  readonly day: string;
  /** Path of its job.json, as Spark calls it. */
  readonly job: string;
  readonly files: number;
  readonly bytes: number;
}

/** What `--emit` has written: `spark-submit <driver> <jobs>` runs it, `--collect <dir>` publishes it. */
export interface EmitResult {
  readonly dir: string;
  readonly driver: string;
  readonly jobs: readonly EmittedJob[];
}

/** What `--dry-run` prints: the plan that a run walks. */
export interface RebuildPlan {
  readonly zone: string;
  readonly lake: string;
  readonly out: string;
  readonly definitions: readonly {
    readonly metric: string;
    readonly version: number;
    readonly online: string;
    readonly hash: string;
  }[];
  /** Why days that `--stale` finds missing or stale cannot be built. */
  readonly refused: readonly string[];
  readonly days: readonly PlannedDay[];
}

export interface PlannedDay {
  readonly day: string;
  /** ISO instants. */
  readonly start: string;
  readonly end: string;
  readonly readFrom: string;
  readonly readTo: string;
  readonly files: number;
  readonly bytes: number;
  readonly missingHours: readonly string[];
  readonly missingMarginHours: readonly string[];
  readonly oddities: readonly { readonly path: string; readonly reason: string }[];
  /** How the mart has the day under each definition that is to be built. */
  readonly why: readonly {
    readonly definition: string;
    readonly state: DayState;
    readonly reasons: readonly StaleReason[];
  }[];
  readonly stages: readonly string[];
  readonly outputs: readonly string[];
}

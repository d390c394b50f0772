import type { EventCounts, MetricCounts } from "../pipeline/read-counts.ts";

/** What a rebuild tells while it runs, and what it came to. No printing here: the command line decides how it looks. */

export interface RebuildEffects {
  /** The run's one clock reading, ms of Unix time. */
  readonly nowMs: number;
  progress(event: ProgressEvent): void;
  /** One line for people, on stderr; the same text is in the result's warnings. */
  warn(text: string): void;
  /** Aborted by SIGINT or SIGTERM: the run stops, publishes nothing more and removes its private folder. */
  readonly signal: AbortSignal;
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
}

export interface RebuildResult {
  readonly out: string;
  readonly days: readonly DayResult[];
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
  readonly stages: readonly string[];
  readonly outputs: readonly string[];
}

/** What a day has quarantined, by reason. Times are ISO 8601 in UTC; whole numbers beyond 2^53 are text. */

export interface QuarantineReport {
  readonly day: string;
  readonly out: string;
  /** The run that the day's events are taken from. */
  readonly runId: string;
  readonly owned: number;
  readonly accepted: number;
  readonly quarantined: number;
  /** Of events, most first. */
  readonly reasons: readonly QuarantinedReason[];
  /** Clients that cause most, over all reasons asked for. */
  readonly clients: readonly ClientCount[];
  readonly sessions: readonly QuarantinedSessions[];
  readonly files: readonly QuarantinedFile[];
}

/** `means`, `todo`: the same texts wherever the reason is told. */
export interface Told {
  readonly reason: string;
  readonly rule: string;
  readonly means: string;
  readonly todo: string;
}

export interface QuarantinedReason extends Told {
  readonly events: number;
  /** Of the day's own events, 0 to 1. */
  readonly share: number;
  readonly details: readonly { readonly detail: string | null; readonly events: number }[];
  readonly clients: readonly ClientCount[];
  readonly examples: readonly RawRow[];
}

export interface ClientCount {
  readonly clientType: string | null;
  readonly appVersion: string | null;
  readonly events: number;
}

export interface QuarantinedSessions extends Told {
  readonly metric: string;
  readonly version: number;
  readonly sessions: number;
  readonly examples: readonly RawRow[];
}

export interface QuarantinedFile extends Told {
  readonly path: string;
  readonly bytes: number;
  readonly detail: string | null;
}

/** A row of a mart's table by its column names. */
export type RawRow = Readonly<Record<string, string | number | boolean | null>>;

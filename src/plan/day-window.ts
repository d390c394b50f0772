/** A business day of a zone. Times are ms of Unix time; `[startMs, endMs)` may be empty where the zone skipped the date. */
export interface DayWindow {
  readonly zone: string;
  /** YYYY-MM-DD in the business zone's calendar. */
  readonly day: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** The read window of a day (R1): `[startMs - lookback, endMs + lookahead)`. */
export interface ReadWindow {
  readonly startMs: number;
  readonly endMs: number;
}

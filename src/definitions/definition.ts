/** A state of a definition's own (R17). */
export type StateRule =
  | { readonly kind: "types"; readonly on: readonly string[]; readonly off: readonly string[] }
  | { readonly kind: "column"; readonly column: string; readonly equals: readonly string[] };

/** An `online` expression (R18), parsed. Names are `connected`, `foreground`, `active` or own states. */
export type Expression =
  | { readonly op: "state"; readonly name: string }
  | { readonly op: "not"; readonly arg: Expression }
  | { readonly op: "and" | "or"; readonly left: Expression; readonly right: Expression };

/** A versioned rule for what counts as online. Durations are whole ms. */
export interface Definition {
  readonly name: string;
  readonly version: number;
  readonly description: string;
  /** The source text of the expression, spaces normalised. */
  readonly online: string;
  readonly expression: Expression;
  readonly gapMaxMs: number;
  readonly gapCreditMs: number;
  readonly tailMs: number;
  /** Null where `online` does not use `active`. */
  readonly idleMs: number | null;
  readonly foregroundAtStart: boolean;
  readonly devices: "all" | "latest";
  readonly lateUpload: "ignore" | "compensate";
  readonly maxShiftMs: number;
  readonly maxSessionMs: number | null;
  /** Own states in the order of their names. */
  readonly states: ReadonlyMap<string, StateRule>;
  /** SHA-256 over everything that changes numbers (not the description). */
  readonly hash: string;
}

import type { ExplainedDefinition, Interval } from "./explained-definition.ts";

/**
 * The whole way of one user's number on one day. Plain data for text, JSON and pictures. Times are ms of Unix time; a value that
 * is no safe integer of JavaScript is its decimal text.
 */

export type Exact = number | string;

export interface Explanation {
  readonly userId: string;
  readonly day: string;
  readonly zone: string;
  /** The business day `[startMs, endMs)` (R22) and what was read for it (R1). */
  readonly dayMs: Interval;
  readonly readMs: Interval;
  readonly source: ExplanationSource;
  readonly counts: EventTotals;
  /** By session, then as the rules order them. At most the limit; `eventsLeftOut` more are not listed. */
  readonly events: readonly ExplainedEvent[];
  readonly eventsLeftOut: number;
  readonly sessions: readonly ExplainedSession[];
  readonly definitions: readonly ExplainedDefinition[];
  /** What deserves a look: a part of the day is missing, stored verdicts differ, … */
  readonly notes: readonly string[];
}

export interface ExplanationSource {
  readonly lake: string;
  /** Files of the read window, and how many of them hold rows that matter here. */
  readonly files: number;
  readonly filesWithRows: number;
  /** Null: no mart was asked. */
  readonly mart: string | null;
  /** Where settings and definitions come from. */
  readonly settingsFrom: "options" | "mart";
}

/** Of the listed kind: the user's own rows, and those of other users in the user's sessions. */
export interface EventTotals {
  readonly events: number;
  readonly ofUser: number;
  readonly accepted: number;
  readonly quarantined: Readonly<Record<string, number>>;
}

export interface ExplainedEvent {
  /** From 1, in the order of the list. */
  readonly no: number;
  readonly eventId: string | null;
  readonly userId: string | null;
  readonly sessionId: string | null;
  readonly epoch: Exact | null;
  readonly sequence: Exact | null;
  readonly type: string | null;
  readonly deviceId: string | null;
  /** R1: decides day and window. */
  readonly timeMs: number;
  readonly serverMs: Exact | null;
  readonly clientMs: Exact | null;
  readonly lastActiveMs: Exact | null;
  readonly foreground: boolean | null;
  readonly active: boolean | null;
  readonly sourceFile: string;
  readonly sourceRow: number;
  /** R2: it lies in the business day, whose run counts or quarantines it. */
  readonly ownedByDay: boolean;
  /** False: another user's event in a session of this user. */
  readonly ofUser: boolean;
  readonly verdict: Verdict;
  /** One for each definition, in their order; none for an event that opens no slot. */
  readonly steps: readonly Step[];
  /** Following events that only repeat this one, left out of the list. */
  readonly folded: FoldedEvents | null;
}

export type Verdict =
  | {
      readonly kind: "accepted";
      /** R11: its effective time, where it arrived later; null where it counts at its server_time. */
      readonly movedToMs: number | null;
      /** The later event that had arrived before. */
      readonly movedBy: EventReference | null;
    }
  /** A SERVER_TIMEOUT that is accepted (R10): `none` is one without a client event before it. */
  | { readonly kind: "timeout"; readonly verdict: "valid" | "none" }
  | {
      readonly kind: "quarantined";
      readonly reason: string;
      /** `R7` */
      readonly rule: string;
      readonly detail: string | null;
      /** The event that decided: the first of that id, the closer, the next connection's first, … */
      readonly because: EventReference | null;
    };

export interface EventReference {
  readonly eventId: string | null;
  readonly userId: string | null;
  readonly sessionId: string | null;
  readonly epoch: Exact | null;
  readonly sequence: Exact | null;
  readonly type: string | null;
  readonly serverMs: Exact | null;
  readonly sourceFile: string;
  readonly sourceRow: number;
}

/** How a slot got its length (R14): a gap within max, the credit for a longer one, the tail, or nothing after a closer. */
export type Earning = "gap" | "credit" | "tail" | "closer";

/** An accepted event under a definition: the slot that it opens, the states that hold in it, and what of it counts. */
export interface Step {
  /** Effective time: that of the verdict, or an earlier one where the definition moves late uploads (R13). */
  readonly tauMs: number;
  readonly movedByR13: boolean;
  readonly earning: Earning;
  /** To the next event of the connection; null after the last one. */
  readonly gapMs: number | null;
  /** The slot `[tauMs, slotEndMs)`. */
  readonly slotEndMs: number;
  /** What ended the slot before its time: the next connection (R9), or the next event of this one (R14). */
  readonly cutBy: "fence" | "next-event" | null;
  /** R15; null: not known yet, which counts as not foreground. */
  readonly foreground: boolean | null;
  /** R17: own states that hold, by name. */
  readonly states: readonly string[];
  /** The event changed foreground or an own state, or set it first. */
  readonly changes: readonly string[];
  /** R16: when the interaction happened that the event tells of. */
  readonly interactionMs: number | null;
  /** R18: for how long `online` is true within the slot. */
  readonly onlineMs: number;
  /** R20: the other device's event that cut it. */
  readonly deviceCut: { readonly atMs: number; readonly by: EventReference | null } | null;
  /** What is left of it after R19, R20 and R22; the union with other sessions (R21) comes after that. */
  readonly countedMs: number;
}

export interface FoldedEvents {
  readonly count: number;
  /** How many of each type, most first. */
  readonly types: Readonly<Record<string, number>>;
  /** They lie before or after the day, and count nothing on it. */
  readonly outsideDay: boolean;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly lastSequence: Exact | null;
  readonly minStepMs: number;
  readonly maxStepMs: number;
  /** By definition. */
  readonly steps: readonly { readonly slotMs: number; readonly onlineMs: number; readonly countedMs: number }[];
}

export interface ExplainedSession {
  readonly sessionId: string;
  /** R8. */
  readonly owner: string | null;
  readonly ofUser: boolean;
  readonly deviceId: string | null;
  readonly clientType: string | null;
  readonly channel: string | null;
  readonly appVersion: string | null;
  readonly region: string | null;
  /** Listed events, and how many of them are accepted. */
  readonly events: number;
  readonly accepted: number;
}

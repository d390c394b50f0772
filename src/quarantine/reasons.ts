/** Every reason for which something is not counted: the one place that says what each means and what to do about it. */

export interface ReasonText {
  /** The rule of the counting rules; `files` for reasons of whole files. */
  readonly rule: string;
  readonly of: "event" | "session" | "file";
  /** A sentence for an analyst. */
  readonly means: string;
  readonly todo: string;
  /** What the column `detail` holds; null where it is empty. */
  readonly detail: string | null;
}

const event = (rule: string, means: string, todo: string, detail: string | null = null): ReasonText => ({
  rule,
  of: "event",
  means,
  todo,
  detail,
});

const file = (means: string, todo: string): ReasonText => ({
  rule: "files",
  of: "file",
  means,
  todo,
  detail: "what was found in the file",
});

/** In the order of the rules: an event has the reason of the first one that it breaks. */
export const REASONS: Readonly<Record<string, ReasonText>> = {
  MISSING_FIELD: event(
    "R3",
    "A field that no event can do without is null or empty.",
    "Find the client version that leaves it out; the detail names the field.",
    "the first missing field",
  ),
  INVALID_VALUE: event(
    "R4",
    "server_time, sequence or session_epoch cannot be read as its type, is negative, or lies outside of 2000 to 2099.",
    "Look at the raw value in the source file: a wrong unit or a serialiser that writes text or fractions is the usual cause.",
    "the first such column",
  ),
  UNKNOWN_EVENT_TYPE: event(
    "R5",
    "The event's type is neither a built-in one nor declared in eventTypes.",
    "If it is a presence event, declare it in eventTypes (days become stale and are rebuilt); else keep it out of the lake.",
    "the type",
  ),
  PARTITION_MISMATCH: event(
    "R6",
    "server_time lies outside of the hour whose folder the row is in, by more than partitionSlack.",
    "Check the writer's partitioning and the clocks of the servers that stamp server_time.",
  ),
  DUPLICATE_EVENT: event(
    "R7",
    "The same event was written before: user, session, epoch, sequence and type agree with the one that is kept.",
    "Nothing, if rare: retries do that. A high share points to a delivery job that replays whole files.",
  ),
  CONFLICTING_EVENT_ID: event(
    "R7",
    "Another event was written before with the same event_id, but not the same user, session, epoch, sequence and type.",
    "Ids are made badly (a counter that restarts, a weak random source): mend the client, real events are lost here.",
  ),
  DUPLICATE_SEQUENCE: event(
    "R7",
    "Another client event of the same connection has used this sequence before; the one that arrived first is kept.",
    "A client that retries with a new event_id, or two tabs that share a session: give each connection its own counter.",
  ),
  IDENTITY_CONFLICT: event(
    "R8",
    "The event names another user or device than most events of its session.",
    "Session ids are shared or guessable, or an account was switched without a new session: start a new session at login.",
    "user_id or device_id",
  ),
  STALE_EPOCH: event(
    "R9",
    "A newer connection of the session had taken over when the event arrived on the old one.",
    "Harmless, if rare: the old socket was still draining. A high share points to two clients that fight over one session.",
  ),
  STALE_TIMEOUT: event(
    "R10",
    "The server's timeout fired less than serverTimeout after the connection had been heard: its timer was out of date.",
    "Check how the server renews its timers; the timeout is ignored and costs nobody time.",
  ),
  SEQUENCE_JUMP: event(
    "R11",
    "The sequence runs ahead of the next event to arrive by more than maxSequenceJump: a corrupt counter.",
    "Look for a client that overflows or starts its counter from a clock; the rest of the session counts.",
  ),
  LATE_EVENT: event(
    "R11",
    "It arrived later than allowedLateness after an event with a higher sequence, or is a close that lost its counter.",
    "Uploads are delayed: see lateUpload: compensate for definitions that should count them, or raise allowedLateness.",
    "closer, for a close whose sequence is below all that arrived before it",
  ),
  EVENT_AFTER_CLOSE: event(
    "R12",
    "The connection had been closed before by an event with a lower sequence; closed stays closed.",
    "The client goes on after SESSION_CLOSE or LOGOUT without a new session or epoch: mend that, its time is lost here.",
    "the type of the event that closed it; SERVER_TIMEOUT where the setting timeoutCloses is on (R10)",
  ),
  SESSION_TOO_LONG: {
    rule: "R19",
    of: "session",
    means:
      "The session's online time in the read window is longer than the definition's maxSession; it counts nothing.",
    todo: "Look for bots, displays that never sleep and test clients; raise maxSession if such sessions are real.",
    detail: null,
  },
  EMPTY_FILE: file("The file has no byte.", "Write it again, or remove it."),
  NOT_PARQUET: file(
    "The file does not begin and end as Parquet.",
    "Move it out of the partition, or write it as Parquet.",
  ),
  TRUNCATED: file("The file's end is missing: the writer died or the copy broke off.", "Copy or write it again."),
  UNREADABLE: file("The file's metadata or pages cannot be read.", "Write it again from its source."),
  VANISHED: file(
    "The file was gone when it was to be read.",
    "Find out which job deletes files of the lake; run again.",
  ),
  MISSING_COLUMN: file("The file lacks a column that is needed.", "Write it again with the column, or move it away."),
  AMBIGUOUS_COLUMN: file("Two columns of the file could be the same one.", "Write it again with one of them."),
  COLUMN_TYPE: file("A column's type cannot be read as what it should hold.", "Write it again with a type that can."),
  TIME_UNIT: file(
    "More than half of its server_time integers are not ms of 2000 to 2099.",
    "Declare the unit (timeUnit: us), if the whole lake has it; else write the file again.",
  ),
};

const UNKNOWN: ReasonText = event(
  "?",
  "A reason that this version does not know.",
  "Use the version that built the day.",
);

/** What a reason means, whatever version of the program has written it. */
export function reasonText(reason: string): ReasonText {
  return Object.hasOwn(REASONS, reason) ? REASONS[reason]! : UNKNOWN;
}

/** `R7` */
export const ruleOf = (reason: string): string => reasonText(reason).rule;

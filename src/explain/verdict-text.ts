import type { ZoneClock } from "./clock.ts";
import { lasting } from "./clock.ts";
import type { EventReference, Exact, ExplainedEvent, ExplainedSession } from "./explanation.ts";

/** What decided over an event, in words with its own numbers; the reasons' general meaning is in the quarantine's texts. */
export function verdictText(event: ExplainedEvent, session: ExplainedSession | undefined, clock: ZoneClock): string {
  const { verdict } = event;
  switch (verdict.kind) {
    case "accepted":
      return verdict.movedToMs === null ? "" : movedText(event, verdict.movedToMs, verdict.movedBy, clock);
    case "timeout":
      return verdict.verdict === "valid"
        ? "valid, but no evidence of an end: that follows from the last client event [R10]"
        : "no client event before it: no effect [R10]";
    case "quarantined":
      return `${verdict.reason} [${verdict.rule}]: ${becauseText(event, verdict, session, clock)}`;
  }
}

function movedText(event: ExplainedEvent, toMs: number, by: EventReference | null, clock: ZoneClock): string {
  const late = lasting(Number(event.serverMs) - toMs);
  const after = by ? `${numbered(by)}, which follows it` : "one that follows it";
  return `arrived at ${clock.time(Number(event.serverMs))}, ${late} after ${after}: happened no later than that [R11]`;
}

type Quarantined = Extract<ExplainedEvent["verdict"], { kind: "quarantined" }>;

function becauseText(
  event: ExplainedEvent,
  { reason, detail, because }: Quarantined,
  session: ExplainedSession | undefined,
  clock: ZoneClock,
): string {
  const at = (ms: Exact | null) => (typeof ms === "number" ? clock.time(ms) : "an unreadable time");
  const since = (ms: Exact | null) => lasting(Math.max(0, Number(event.serverMs) - Number(ms)));
  switch (reason) {
    case "MISSING_FIELD":
      return `${detail} is missing`;
    case "INVALID_VALUE":
      return `${detail} cannot be read or is out of bounds`;
    case "UNKNOWN_EVENT_TYPE":
      return `${detail} is no known type`;
    case "PARTITION_MISMATCH":
      return `its server_time ${at(event.serverMs)} does not belong into the hour of its file, at which it is shown`;
    case "DUPLICATE_EVENT":
      return `a copy of ${because ? `the event of ${at(because.serverMs)} in ${place(because)}` : "an earlier event"}`;
    case "CONFLICTING_EVENT_ID":
      return because
        ? `its id was used before by ${because.type} ${numbered(because)} of session ${because.sessionId}, user ${because.userId}, at ${at(because.serverMs)}`
        : "its id was used before";
    case "DUPLICATE_SEQUENCE":
      return because
        ? `sequence ${event.sequence} was used before by ${because.type} ${because.eventId} at ${at(because.serverMs)}`
        : `sequence ${event.sequence} was used before`;
    case "IDENTITY_CONFLICT":
      return detail === "device_id"
        ? `it names device ${event.deviceId}, most events of the session ${session?.deviceId ?? "another one"}`
        : `it names user ${event.userId}, the session is user ${session?.owner ?? "?"}'s`;
    case "STALE_EPOCH":
      return because
        ? `connection ${because.epoch} had taken over at ${at(because.serverMs)}`
        : "a newer connection had taken over";
    case "STALE_TIMEOUT":
      return because ? `the client had been heard ${since(because.serverMs)} before` : "the client had just been heard";
    case "SEQUENCE_JUMP":
      return because ? `the next event to arrive is ${numbered(because)}` : "its counter is far ahead of the others";
    case "LATE_EVENT":
      if (detail === "closer") return "a close whose sequence is below all that came before it";
      return because
        ? `${since(because.serverMs)} after ${numbered(because)}, which follows it`
        : "too long after an event that follows it";
    case "EVENT_AFTER_CLOSE":
      return because
        ? `${because.type} had ended the connection at ${at(because.serverMs)}`
        : `${detail} had ended the connection`;
    default:
      return detail ?? "";
  }
}

const numbered = (event: EventReference): string => `#${event.sequence}`;

const place = (event: EventReference): string => `${event.sourceFile}, row ${event.sourceRow}`;

/** R9–R12: the order of a session's events, epoch by epoch. */
import type { LakeSettings } from "../../src/plan/settings.ts";
import { clientsOf, type Outcome } from "./identity.ts";
import { groupBy, sortBy } from "./order.ts";
import { type ClientEvent, isClient, isCloser, type SoundEvent, type Verdict } from "./read.ts";

/** What R9–R12 leave of one (session, epoch). */
export interface Epoch {
  readonly epoch: number;
  /** R9: nothing of the epoch is counted from here on; Infinity where no newer connection took over. */
  readonly fence: number;
  /** Client events left by R11, by sequence. Those that R12 quarantines are among them: they keep their part in τ. */
  readonly ordered: readonly ClientEvent[];
  /** τ of R11 for each of `ordered`. */
  readonly tau: readonly number[];
  /** Client events left by R12, by sequence. */
  readonly accepted: readonly ClientEvent[];
  /** R10: valid timeouts, by arrival. */
  readonly validTimeouts: readonly SoundEvent[];
}

export interface Session {
  readonly sessionId: string;
  readonly userId: string;
  /** By epoch; only those with an accepted client event. Never empty. */
  readonly epochs: readonly Epoch[];
}

/** R9: fence(k) is the smallest server_time among the session's client events of an epoch above k. */
function fenceOf(sessionClients: readonly ClientEvent[], epoch: number): number {
  return Math.min(...sessionClients.filter((event) => event.epoch > epoch).map((event) => event.serverTime));
}

/** R9: STALE_EPOCH, of one session. */
function dropStale(session: readonly SoundEvent[]): Outcome {
  const clients = clientsOf(session);
  const isStale = (event: SoundEvent) => event.serverTime >= fenceOf(clients, event.epoch);
  return {
    kept: session.filter((event) => !isStale(event)),
    out: session.filter(isStale).map((event) => ({ event, reason: "STALE_EPOCH", detail: null })),
  };
}

interface Timeouts extends Outcome {
  readonly valid: SoundEvent[];
}

/** R10: the timeouts of one (session, epoch), and with `timeoutCloses` what came after a valid one. */
function judgeTimeouts(events: readonly SoundEvent[], settings: LakeSettings): Timeouts {
  const clients = events.filter(isClient);
  const valid: SoundEvent[] = [];
  const out: Verdict[] = [];
  for (const timeout of events.filter((event) => !isClient(event))) {
    const before = clients.filter((event) => event.serverTime <= timeout.serverTime);
    if (before.length === 0) continue; // no effect, but accepted
    const latest = Math.max(...before.map((event) => event.serverTime));
    if (timeout.serverTime - latest < settings.serverTimeoutMs) {
      out.push({ event: timeout, reason: "STALE_TIMEOUT", detail: null });
    } else {
      valid.push(timeout);
    }
  }
  if (settings.timeoutCloses) {
    for (const event of clients) {
      if (valid.some((timeout) => event.serverTime > timeout.serverTime)) {
        out.push({ event, reason: "EVENT_AFTER_CLOSE", detail: "SERVER_TIMEOUT" });
      }
    }
  }
  const gone = new Set(out.map((verdict) => verdict.event));
  return { kept: events.filter((event) => !gone.has(event)), out, valid: sortBy(valid, (event) => [event.serverTime]) };
}

/** The smallest of the values from each position on. */
export function suffixMinimum(values: readonly number[]): number[] {
  return values.map((_, i) => Math.min(...values.slice(i)));
}

/** R11: the client events of one (session, epoch) that keep their place, by sequence. */
function putInOrder(
  clients: readonly ClientEvent[],
  settings: LakeSettings,
): { ordered: ClientEvent[]; out: Verdict[] } {
  const out: Verdict[] = [];
  const arrival = sortBy(clients, (event) => [event.serverTime, event.sequence]);
  const noJump = arrival.filter((event, i) => {
    const next = arrival[i + 1];
    const jumps = next !== undefined && event.sequence - next.sequence > settings.maxSequenceJump;
    if (jumps) out.push({ event, reason: "SEQUENCE_JUMP", detail: null });
    return !jumps;
  });
  // "arrived before" is the order of arrival (server_time, then sequence), of the events that do not jump. Those that
  // are late closers themselves are still among "all client events that arrived before it".
  const rest = noJump.filter((event, i) => {
    const before = noJump.slice(0, i);
    const lostItsCounter =
      isCloser(event) && before.length > 0 && before.every((other) => event.sequence < other.sequence);
    if (lostItsCounter) out.push({ event, reason: "LATE_EVENT", detail: "closer" });
    return !lostItsCounter;
  });
  const bySequence = sortBy(rest, (event) => [event.sequence]);
  const earliest = suffixMinimum(bySequence.map((event) => event.serverTime));
  const ordered = bySequence.filter((event, i) => {
    const late = event.serverTime - earliest[i]! > settings.allowedLatenessMs;
    if (late) out.push({ event, reason: "LATE_EVENT", detail: null });
    return !late;
  });
  return { ordered, out };
}

/** R12: what comes after the first closer. */
function dropAfterClose(ordered: readonly ClientEvent[]): { accepted: ClientEvent[]; out: Verdict[] } {
  const closer = ordered.find(isCloser);
  const isAfter = (event: ClientEvent) => closer !== undefined && event.sequence > closer.sequence;
  return {
    accepted: ordered.filter((event) => !isAfter(event)),
    out: ordered.filter(isAfter).map((event) => ({ event, reason: "EVENT_AFTER_CLOSE", detail: closer!.type })),
  };
}

/** R9–R12 for all that R8 has left. Events in no verdict are accepted. */
export function orderSessions(
  events: readonly SoundEvent[],
  settings: LakeSettings,
): { sessions: Session[]; out: Verdict[] } {
  const out: Verdict[] = [];
  const sessions: Session[] = [];
  for (const session of groupBy(events, (event) => [event.sessionId])) {
    const clients = clientsOf(session);
    const fresh = dropStale(session);
    out.push(...fresh.out);
    const epochs: Epoch[] = [];
    for (const group of groupBy(
      sortBy(fresh.kept, (event) => [event.epoch]),
      (event) => [event.epoch],
    )) {
      const timeouts = judgeTimeouts(group, settings);
      const order = putInOrder(clientsOf(timeouts.kept), settings);
      const closed = dropAfterClose(order.ordered);
      out.push(...timeouts.out, ...order.out, ...closed.out);
      if (closed.accepted.length === 0) continue;
      epochs.push({
        epoch: group[0]!.epoch,
        fence: fenceOf(clients, group[0]!.epoch),
        ordered: order.ordered,
        tau: suffixMinimum(order.ordered.map((event) => event.serverTime)),
        accepted: closed.accepted,
        validTimeouts: timeouts.valid,
      });
    }
    const owner = epochs[0]?.accepted[0]?.userId;
    if (owner !== undefined) sessions.push({ sessionId: session[0]!.sessionId, userId: owner, epochs });
  }
  return { sessions, out };
}

/** R7 and R8: which event is which, and whose session it is. */
import type { LakeSettings } from "../../src/plan/settings.ts";
import { firstBy, groupBy, type Key, sortBy } from "./order.ts";
import { type ClientEvent, isClient, type SoundEvent, type Verdict } from "./read.ts";

/** What a rule leaves, and what it quarantines. */
export interface Outcome {
  readonly kept: SoundEvent[];
  readonly out: Verdict[];
}

/** R7: the order in which the first of the events with one id is kept. */
function duplicateKey(event: SoundEvent, otherColumns: readonly string[]): Key[] {
  return [
    event.serverTime,
    event.sessionId,
    event.epoch,
    event.sequence,
    event.type,
    event.userId,
    event.deviceId,
    event.clientType,
    event.channel,
    event.appVersion,
    event.region,
    event.clientTime,
    event.lastActiveAt,
    event.foreground,
    event.active,
    ...otherColumns.map((name) => event.others[name] ?? null),
    event.raw.file,
    event.raw.row,
  ];
}

/** R7, first half: one event per event_id. */
export function dropDuplicateIds(events: readonly SoundEvent[]): Outcome {
  const names = new Set(events.flatMap((event) => Object.keys(event.others)));
  const otherColumns = sortBy(names, (name) => [name]);
  const kept: SoundEvent[] = [];
  const out: Verdict[] = [];
  for (const group of groupBy(events, (event) => [event.eventId])) {
    const first = firstBy(group, (event) => duplicateKey(event, otherColumns))!;
    kept.push(first);
    for (const event of group) {
      if (event === first) continue;
      const agrees =
        event.userId === first.userId &&
        event.sessionId === first.sessionId &&
        event.epoch === first.epoch &&
        event.sequence === first.sequence &&
        event.type === first.type;
      out.push({ event, reason: agrees ? "DUPLICATE_EVENT" : "CONFLICTING_EVENT_ID", detail: null });
    }
  }
  return { kept, out };
}

/** `sequence: arrival`: the rank by (server_time, event_id) within the (session, epoch). */
export function rankByArrival(events: readonly SoundEvent[], settings: LakeSettings): SoundEvent[] {
  if (settings.sequence === "column") return [...events];
  return groupBy(events, (event) => [event.sessionId, event.epoch]).flatMap((group) =>
    sortBy(group, (event) => [event.serverTime, event.eventId]).map((event, rank) => ({ ...event, sequence: rank })),
  );
}

/** R7, second half: of all client events with one (session, epoch, sequence) the first by (server_time, event_id). */
export function dropDuplicateSequences(events: readonly SoundEvent[]): Outcome {
  const kept: SoundEvent[] = events.filter((event) => !isClient(event));
  const out: Verdict[] = [];
  for (const group of groupBy(events.filter(isClient), (e) => [e.sessionId, e.epoch, e.sequence])) {
    const [first, ...rest] = sortBy(group, (event) => [event.serverTime, event.eventId]);
    kept.push(first!);
    out.push(...rest.map((event): Verdict => ({ event, reason: "DUPLICATE_SEQUENCE", detail: null })));
  }
  return { kept, out };
}

/** R8: the value that most of the events name; of equals, the one whose first event comes first. */
function mostNamed(events: readonly SoundEvent[], name: (event: SoundEvent) => string | null): string | null {
  const ordered = sortBy(events, (event) => [event.epoch, event.sequence, event.serverTime]);
  let best: string | null = null;
  let bestCount = 0;
  for (const event of ordered) {
    const value = name(event);
    if (value === null) continue; // an empty device is no claim
    const count = ordered.filter((other) => name(other) === value).length;
    if (count > bestCount) [best, bestCount] = [value, count];
  }
  return best;
}

/** R8: IDENTITY_CONFLICT, session by session. */
export function dropForeign(events: readonly SoundEvent[]): Outcome {
  const kept: SoundEvent[] = [];
  const out: Verdict[] = [];
  for (const session of groupBy(events, (event) => [event.sessionId])) {
    const clients = session.filter(isClient);
    // "A session without client events is left as it is."
    const user = mostNamed(clients, (event) => event.userId);
    const device = mostNamed(
      clients.filter((event) => event.userId === user),
      (event) => event.deviceId,
    );
    for (const event of session) {
      if (user !== null && event.userId !== user) {
        out.push({ event, reason: "IDENTITY_CONFLICT", detail: "user_id" });
      } else if (device !== null && event.deviceId !== null && event.deviceId !== device) {
        out.push({ event, reason: "IDENTITY_CONFLICT", detail: "device_id" });
      } else {
        kept.push(event);
      }
    }
  }
  return { kept, out };
}

export const clientsOf = (events: readonly SoundEvent[]): ClientEvent[] => events.filter(isClient) as ClientEvent[];

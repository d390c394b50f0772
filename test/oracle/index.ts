/**
 * The reference counter: the counting rules R1–R22 as slow, obvious TypeScript, written from the rules alone. It shares
 * no code with the program (but for types and default settings), so that a fault in one of them shows as a difference.
 */
import type { Definition } from "../../src/definitions/definition.ts";
import type { LakeSettings } from "../../src/plan/settings.ts";
import { orderSessions, type Session } from "./epochs.ts";
import { dropDuplicateIds, dropDuplicateSequences, dropForeign, rankByArrival } from "./identity.ts";
import { countSessions } from "./online.ts";
import { sortBy } from "./order.ts";
import { type Event, readWindow, type SoundEvent, soundness, type Verdict } from "./read.ts";
import { dailySummary, minuteOnline } from "./summary.ts";
import {
  deviceDaily,
  quarantinedSessions,
  sessionDaily,
  sessionIntervals,
  sessionsOfDay,
  userDaily,
  userIntervals,
} from "./tables.ts";
import type {
  Counts,
  DefinitionResult,
  Evidence,
  OracleInput,
  OracleResult,
  QuarantinedEventRow,
  Reason,
} from "./types.ts";

export type * from "./types.ts";
export { REASONS } from "./types.ts";

interface Judged {
  readonly events: readonly Event[];
  readonly verdicts: readonly Verdict[];
  readonly sessions: readonly Session[];
}

/** R1–R12: what counts, whatever the definition. "The rules apply in this order, each to what the ones before left." */
export function judge(input: OracleInput): Judged {
  const { settings } = input;
  const events = readWindow(input);
  const unsound = events.map((event) => soundness(event, settings)).filter((verdict) => verdict !== null);
  const broken = new Set(unsound.map((verdict) => verdict.event));
  const sound = events.filter((event): event is SoundEvent => !broken.has(event));
  const ids = dropDuplicateIds(sound);
  const sequences = dropDuplicateSequences(rankByArrival(ids.kept, settings));
  const identities = dropForeign(sequences.kept);
  const order = orderSessions(identities.kept, settings);
  return {
    events,
    verdicts: [...unsound, ...ids.out, ...sequences.out, ...identities.out, ...order.out],
    sessions: order.sessions,
  };
}

/** The contract: an event's columns as they were read; a value that could not be read is null, an absent epoch 0. */
function quarantinedRow({ event, reason, detail }: Verdict, settings: LakeSettings): QuarantinedEventRow {
  const sequence = settings.sequence === "arrival" ? null : event.raw.values.sequence;
  return {
    reason,
    detail,
    event_id: event.eventId,
    user_id: event.userId,
    session_id: event.sessionId,
    event_type: event.type,
    server_time: event.serverTime,
    // With `sequence: arrival` the lake's own is not read.
    sequence: typeof sequence === "number" ? sequence : null,
    session_epoch: event.epoch,
    device_id: event.deviceId,
    client_type: event.clientType,
    channel: event.channel,
    app_version: event.appVersion,
    region: event.region,
    client_time: event.clientTime,
    last_active_at: event.lastActiveAt,
    foreground: event.foreground,
    active: event.active,
    source_file: event.raw.file,
    source_row: event.raw.row,
  };
}

/** R2: only the events that the day owns are counted and written to quarantine. */
function countEvents({ events, verdicts, sessions }: Judged, isOwned: (event: Event) => boolean): Counts {
  const owned = events.filter(isOwned);
  const quarantined: Partial<Record<Reason, number>> = {};
  const out = verdicts.filter(({ event }) => isOwned(event));
  for (const { reason } of out) quarantined[reason] = (quarantined[reason] ?? 0) + 1;
  // R11: of "those left" by R11, so that events which R12 quarantines are among them.
  const reordered = sessions
    .flatMap(({ epochs }) => epochs)
    .flatMap(({ ordered, tau }) => ordered.filter((event, i) => isOwned(event) && tau[i]! < event.serverTime));
  return {
    owned: owned.length,
    accepted: owned.length - out.length,
    quarantined,
    reordered: reordered.length,
    unreadOptionalValues: owned.reduce((sum, event) => sum + event.unread, 0),
  };
}

function countDefinition(definition: Definition, sessions: readonly Session[], input: OracleInput): DefinitionResult {
  const { settings, window } = input;
  const evidence: Evidence = { shifted: 0, fenceCuts: 0, idleCuts: 0, deviceCuts: 0 };
  const hours = new Set(input.hoursWithData);
  const all = countSessions(sessions, definition, settings, evidence);
  const ofDay = sessionsOfDay(all, window);
  return {
    definition,
    user_daily: userDaily(ofDay),
    device_daily: deviceDaily(ofDay),
    session_daily: sessionDaily(ofDay, definition.gapMaxMs, window, settings),
    user_intervals: userIntervals(ofDay),
    session_intervals: sessionIntervals(ofDay),
    daily_summary: dailySummary(ofDay, window, hours),
    minute_online: minuteOnline(ofDay, window, hours),
    quarantined_sessions: quarantinedSessions(all, window),
    // Of the sessions that were heard before the day's end and not wholly before its start.
    sessionsOfUnknownState: all.filter(
      ({ stateKnown, slots }) =>
        !stateKnown &&
        slots.some(({ start }) => start < window.endMs) &&
        slots.some(({ start }) => start >= window.startMs),
    ).length,
    evidence,
  };
}

/** Everything that a run for one business day writes, by the rules. */
export function count(input: OracleInput): OracleResult {
  const { window } = input;
  const judged = judge(input);
  // R2: an event belongs to the business day that its time falls in.
  const isOwned = (event: Event) => event.time >= window.startMs && event.time < window.endMs;
  const rows = judged.verdicts
    .filter(({ event }) => isOwned(event))
    .map((verdict) => quarantinedRow(verdict, input.settings));
  return {
    counts: countEvents(judged, isOwned),
    quarantined_events: sortBy(rows, (row) => [row.source_file, row.source_row]),
    definitions: input.definitions.map((definition) => countDefinition(definition, judged.sessions, input)),
  };
}

/** R1–R6: which rows exist for a day, and which of them can be read at all. */
import { KNOWN_EVENT_TYPES, type LakeSettings } from "../../src/plan/settings.ts";
import type { OracleInput, RawBoolean, RawEvent, RawNumber, Reason, Text } from "./types.ts";

const HOUR = 3_600_000;
const YEAR_2000 = Date.UTC(2000, 0, 1);
const YEAR_2100 = Date.UTC(2100, 0, 1);

/** A row whose values have been read. `serverTime` and the ids are null only on rows that R3 or R4 quarantines. */
export interface Event {
  readonly raw: RawEvent;
  /** R1: the event's time, which says whose day it is (R2). */
  readonly time: number;
  readonly eventId: Text;
  readonly userId: Text;
  readonly sessionId: Text;
  readonly type: Text;
  readonly serverTime: number | null;
  readonly sequence: number | null;
  readonly epoch: number | null;
  readonly deviceId: Text;
  readonly clientType: Text;
  readonly channel: Text;
  readonly appVersion: Text;
  readonly region: Text;
  readonly clientTime: number | null;
  readonly lastActiveAt: number | null;
  readonly foreground: boolean | null;
  readonly active: boolean | null;
  readonly others: Readonly<Record<string, Text>>;
  /** R4: how many of its optional values could not be read. */
  readonly unread: number;
}

/** An event that R3–R6 have left: what every event has. */
export interface SoundEvent extends Event {
  readonly eventId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly type: string;
  readonly serverTime: number;
  readonly epoch: number;
}

/** A client event after R7: it has a sequence, of the lake or of its arrival. */
export interface ClientEvent extends SoundEvent {
  readonly sequence: number;
}

export interface Verdict {
  readonly event: Event;
  readonly reason: Reason;
  readonly detail: Text;
}

/** Words: a client event is any event but SERVER_TIMEOUT. */
export const isClient = (event: Event): boolean => event.type !== "SERVER_TIMEOUT";
/** Words: a closer is SESSION_CLOSE or LOGOUT. */
export const isCloser = (event: Event): boolean => event.type === "SESSION_CLOSE" || event.type === "LOGOUT";

/** "Empty text is null everywhere." */
const text = (value: Text): Text => (value === "" ? null : value);
const number = (value: RawNumber): number | null => (typeof value === "number" ? value : null);
const boolean = (value: RawBoolean): boolean | null => (typeof value === "boolean" ? value : null);
const unreadable = (value: RawNumber | RawBoolean): boolean => typeof value === "object" && value !== null;
const absurd = (time: number): boolean => time < YEAR_2000 || time >= YEAR_2100;

/** R6 (and R1): is the server time close enough to its partition's hour? */
function inPartition(serverTime: number, hourMs: number, settings: LakeSettings): boolean {
  const slack = settings.partitionSlackMs;
  return serverTime >= hourMs - slack && serverTime < hourMs + HOUR + slack;
}

/** R1: the time of an event is its server_time, or its partition's hour where that is missing, unreadable or far off. */
export function timeOf(raw: RawEvent, settings: LakeSettings): number {
  const serverTime = number(raw.values.server_time);
  return serverTime !== null && inPartition(serverTime, raw.hourMs, settings) ? serverTime : raw.hourMs;
}

/** R4: a time among the optional values counts as null where it is unreadable or absurd. */
function optionalTime(value: RawNumber): number | null {
  const time = number(value);
  return time === null || absurd(time) ? null : time;
}

function readEvent(raw: RawEvent, settings: LakeSettings): Event {
  const v = raw.values;
  const clientTime = optionalTime(v.client_time);
  const lastActiveAt = optionalTime(v.last_active_at);
  const unread = [
    v.client_time !== null && clientTime === null,
    v.last_active_at !== null && lastActiveAt === null,
    unreadable(v.foreground),
    unreadable(v.active),
  ].filter(Boolean).length;
  return {
    raw,
    time: timeOf(raw, settings),
    eventId: text(v.event_id),
    userId: text(v.user_id),
    sessionId: text(v.session_id),
    type: text(v.event_type),
    serverTime: number(v.server_time),
    // `sequence: arrival`: the column is ignored as if it were null.
    sequence: settings.sequence === "arrival" ? null : number(v.sequence),
    // Words: the epoch is 0 where absent.
    epoch: v.session_epoch === null ? 0 : number(v.session_epoch),
    deviceId: text(v.device_id),
    clientType: text(v.client_type),
    channel: text(v.channel),
    appVersion: text(v.app_version),
    region: text(v.region),
    clientTime,
    lastActiveAt,
    foreground: boolean(v.foreground),
    active: boolean(v.active),
    others: Object.fromEntries(Object.entries(v.others).map(([name, value]) => [name, text(value)])),
    unread,
  };
}

/** R1: the events of the read window. Rows outside it do not exist for any purpose. */
export function readWindow({ lake, settings, window }: OracleInput): Event[] {
  const from = window.startMs - settings.lookbackMs;
  const to = window.endMs + settings.lookaheadMs;
  return lake.events.map((raw) => readEvent(raw, settings)).filter((event) => event.time >= from && event.time < to);
}

/** R3: the first needed column that is null. */
function missingField(event: Event, settings: LakeSettings): string | null {
  const v = event.raw.values;
  if (event.eventId === null) return "event_id";
  if (event.userId === null) return "user_id";
  if (event.sessionId === null) return "session_id";
  if (event.type === null) return "event_type";
  if (v.server_time === null) return "server_time";
  if (v.sequence === null && isClient(event) && settings.sequence === "column") return "sequence";
  return null;
}

/** R4: the first of server_time, sequence, session_epoch that cannot be read or has no possible value. */
function invalidValue(event: Event, settings: LakeSettings): string | null {
  const v = event.raw.values;
  const { serverTime, sequence, epoch } = event;
  if (serverTime === null || absurd(serverTime)) return "server_time";
  const sequenceCounts = settings.sequence === "column";
  if (sequenceCounts && (unreadable(v.sequence) || (sequence !== null && sequence < 0))) return "sequence";
  if (epoch === null || epoch < 0) return "session_epoch";
  return null;
}

/** R3–R6 for one event: the first rule that it breaks, or null. */
export function soundness(event: Event, settings: LakeSettings): Verdict | null {
  const missing = missingField(event, settings);
  if (missing !== null) return { event, reason: "MISSING_FIELD", detail: missing };
  const invalid = invalidValue(event, settings);
  if (invalid !== null) return { event, reason: "INVALID_VALUE", detail: invalid };
  // R5: neither core nor LIVE_ENTER, LIVE_LEAVE nor declared.
  const known: readonly string[] = [...KNOWN_EVENT_TYPES, ...settings.eventTypes];
  if (!known.includes(event.type!)) return { event, reason: "UNKNOWN_EVENT_TYPE", detail: event.type };
  if (!inPartition(event.serverTime!, event.raw.hourMs, settings)) {
    return { event, reason: "PARTITION_MISMATCH", detail: null };
  }
  return null;
}

/** R21, R22 and the contract's tables by session, device and user. */
import type { DayWindow } from "../../src/plan/day-window.ts";
import type { LakeSettings } from "../../src/plan/settings.ts";
import { type Interval, totalLength, union, within } from "./intervals.ts";
import { type CountedSession, deviceKey } from "./online.ts";
import { groupBy, sortBy } from "./order.ts";
import { isCloser } from "./read.ts";
import type {
  CloseReason,
  DeviceDailyRow,
  QuarantinedSessionRow,
  SessionDailyRow,
  SessionIntervalRow,
  UserDailyRow,
  UserIntervalRow,
} from "./types.ts";

/** A session with online time in the day, cut to it (R22). */
export interface DaySession {
  readonly counted: CountedSession;
  readonly online: readonly Interval[];
}

/** R22: the sessions that are online in the day. */
export function sessionsOfDay(all: readonly CountedSession[], window: DayWindow): DaySession[] {
  const sessions = all.map((counted) => ({ counted, online: within(counted.counted, window.startMs, window.endMs) }));
  return sortBy(
    sessions.filter(({ online }) => online.length > 0),
    ({ counted }) => [counted.session.sessionId],
  );
}

export const userOf = ({ counted }: DaySession): string => counted.session.userId;
export const sessionMs = (sessions: readonly DaySession[]): number =>
  sessions.reduce((sum, { online }) => sum + totalLength(online), 0);
/** R21: the union over sessions, of all devices. */
export const unionOf = (sessions: readonly DaySession[]): Interval[] => union(sessions.flatMap(({ online }) => online));

/** The contract: the first τ in the read window. */
const startedAt = ({ slots }: CountedSession): number => Math.min(...slots.map((slot) => slot.start));
/** The contract: the last τ in the read window. */
const lastEventAt = ({ slots }: CountedSession): number => Math.max(...slots.map((slot) => slot.start));

/**
 * The contract: τ of the closer that ends the highest epoch, else the end of the last slot. The last slot is that of the
 * last event by (session_epoch, sequence), even where it is empty; the cut of R20 is on online time, not on slots.
 * A closer's slot is empty where it is the last of its epoch, so that its end is its τ.
 */
function endedAt({ slots }: CountedSession): number {
  const last = slots.at(-1)!;
  return isCloser(last.event) ? last.start : last.end;
}

/** The contract: close_reason, of the highest epoch; the first that applies. */
function closeReason(counted: CountedSession, gapMaxMs: number, readWindowEnd: number): CloseReason {
  const last = counted.slots.at(-1)!;
  if (last.event.type === "SESSION_CLOSE" || last.event.type === "LOGOUT") return last.event.type;
  // A valid timeout at or after the server_time of the last accepted client event (by sequence) of that epoch.
  const { validTimeouts } = counted.session.epochs.at(-1)!;
  if (validTimeouts.some((timeout) => timeout.serverTime >= last.event.serverTime)) return "SERVER_TIMEOUT";
  return readWindowEnd - lastEventAt(counted) <= gapMaxMs ? "OPEN" : "TIMEOUT";
}

export function sessionDaily(
  sessions: readonly DaySession[],
  gapMaxMs: number,
  window: DayWindow,
  settings: LakeSettings,
): SessionDailyRow[] {
  return sessions.map(({ counted, online }) => ({
    session_id: counted.session.sessionId,
    user_id: counted.session.userId,
    device_id: counted.device,
    client_type: counted.clientType,
    channel: counted.channel,
    app_version: counted.appVersion,
    region: counted.region,
    online_ms: totalLength(online),
    intervals: online.length,
    first_online_at: online[0]!.start,
    last_online_at: online.at(-1)!.end,
    started_at: startedAt(counted),
    last_event_at: lastEventAt(counted),
    ended_at: endedAt(counted),
    close_reason: closeReason(counted, gapMaxMs, window.endMs + settings.lookaheadMs),
  }));
}

export function sessionIntervals(sessions: readonly DaySession[]): SessionIntervalRow[] {
  return sessions.flatMap(({ counted, online }) =>
    online.map(({ start, end }) => ({
      session_id: counted.session.sessionId,
      user_id: counted.session.userId,
      device_id: counted.device,
      start_at: start,
      end_at: end,
      duration_ms: end - start,
    })),
  );
}

export function userDaily(sessions: readonly DaySession[]): UserDailyRow[] {
  const rows = groupBy(sessions, (session) => [userOf(session)]).map((own) => {
    const online = unionOf(own);
    return {
      user_id: userOf(own[0]!),
      online_ms: totalLength(online),
      session_ms: sessionMs(own),
      sessions: own.length,
      devices: new Set(own.map(({ counted }) => deviceKey(counted))).size,
      intervals: online.length,
      first_online_at: online[0]!.start,
      last_online_at: online.at(-1)!.end,
    };
  });
  return sortBy(rows, (row) => [row.user_id]);
}

export function userIntervals(sessions: readonly DaySession[]): UserIntervalRow[] {
  const rows = groupBy(sessions, (session) => [userOf(session)]).flatMap((own) =>
    unionOf(own).map(({ start, end }) => ({
      user_id: userOf(own[0]!),
      start_at: start,
      end_at: end,
      duration_ms: end - start,
    })),
  );
  return sortBy(rows, (row) => [row.user_id, row.start_at]);
}

/** A user's sessions without a device share the row with a null device_id. */
export function deviceDaily(sessions: readonly DaySession[]): DeviceDailyRow[] {
  const rows = groupBy(sessions, (session) => [userOf(session), session.counted.device]).map((own) => {
    const byStart = sortBy(own, ({ counted }) => [startedAt(counted), counted.session.sessionId]);
    return {
      user_id: userOf(own[0]!),
      device_id: own[0]!.counted.device,
      client_type: byStart.map(({ counted }) => counted.clientType).find((value) => value !== null) ?? null,
      online_ms: totalLength(unionOf(own)),
      session_ms: sessionMs(own),
      sessions: own.length,
    };
  });
  return sortBy(rows, (row) => [row.user_id, row.device_id]);
}

/** R19: written on the days with which the online time of R18 shares a millisecond. */
export function quarantinedSessions(all: readonly CountedSession[], window: DayWindow): QuarantinedSessionRow[] {
  const rows = all
    .filter(({ tooLong, online }) => tooLong && within(online, window.startMs, window.endMs).length > 0)
    .map(
      (counted): QuarantinedSessionRow => ({
        reason: "SESSION_TOO_LONG",
        session_id: counted.session.sessionId,
        user_id: counted.session.userId,
        device_id: counted.device,
        started_at: startedAt(counted),
        ended_at: endedAt(counted),
        online_ms: totalLength(counted.online),
      }),
    );
  return sortBy(rows, (row) => [row.session_id]);
}

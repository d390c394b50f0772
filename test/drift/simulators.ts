/** Realtime layers in a few lines each: right ones, and one for each wrong way of counting. All figures are ms by user. */
import type { Definition } from "../../src/definitions/definition.ts";
import type { DayWindow } from "../../src/plan/day-window.ts";
import { DEFAULT_SETTINGS, type LakeSettings } from "../../src/plan/settings.ts";
import { signalsOf } from "../online/online-list.ts";
import { BUILTIN } from "../oracle/build.ts";
import { count, judge, type OracleInput, type RawEvent } from "../oracle/index.ts";

export type Figures = ReadonlyMap<string, number>;

/** What a realtime layer hears, and the day that it counts. */
export interface Heard {
  readonly events: readonly RawEvent[];
  readonly window: DayWindow;
}

type Span = readonly [start: number, end: number];

const input = (
  { events, window }: Heard,
  definition: Definition = BUILTIN.connected,
  settings: Partial<LakeSettings> = {},
): OracleInput => ({
  lake: { events },
  settings: { ...DEFAULT_SETTINGS, ...settings },
  definitions: [definition],
  window,
  hoursWithData: [],
});

/** Counts as the rules say. */
export function exact(heard: Heard, definition?: Definition, settings?: Partial<LakeSettings>): Figures {
  const [result] = count(input(heard, definition, settings)).definitions;
  return new Map(result!.user_daily.map(({ user_id, online_ms }) => [user_id, online_ms]));
}

/**
 * Markers with a time-to-live, as a cache keeps them: one for each session, renewed by each event, taken off by a close. With
 * `latest` a user has markers of the device that was heard last only.
 */
export function markers(heard: Heard, ttlMs: number, latest = false): Figures {
  const users = new Map<string, { device: string; until: Map<string, number>; seenMs: number; spans: Span[] }>();
  for (const { userId, sessionId, device, atMs, closes } of signalsOf(judge(input(heard)).sessions)) {
    const user = users.get(userId) ?? { device, until: new Map<string, number>(), seenMs: atMs, spans: [] };
    users.set(userId, user);
    user.spans.push([user.seenMs, Math.min(atMs, Math.max(0, ...user.until.values()))]);
    user.seenMs = atMs;
    if (closes) user.until.delete(sessionId);
    else {
      if (latest && user.device !== device) user.until.clear();
      user.device = device;
      user.until.set(sessionId, atMs + ttlMs);
    }
  }
  const times = [...users].map(([userId, { spans, seenMs, until }]): [string, readonly Span[]] => [
    userId,
    [...spans, [seenMs, Math.max(0, ...until.values())]],
  ]);
  return unions(times, heard.window);
}

/** One heartbeat is half a minute; one that comes again is known by its id. */
export function heartbeats({ events, window }: Heard): Figures {
  const figures = new Map<string, number>();
  const known = new Set<string | null>();
  for (const { values } of events) {
    const { event_id, event_type, server_time, user_id } = values;
    if (event_type !== "HEARTBEAT" || typeof server_time !== "number" || user_id === null) continue;
    if (server_time < window.startMs || server_time >= window.endMs || known.has(event_id)) continue;
    known.add(event_id);
    figures.set(user_id, (figures.get(user_id) ?? 0) + 30_000);
  }
  return figures;
}

/** Online from the login of a session to its logout, or to the last that is heard of it. */
export function loginToLogout(heard: Heard): Figures {
  const sessions = judge(input(heard)).sessions;
  return unions(
    sessions.map(({ userId, epochs }) => {
      const times = epochs.flatMap(({ ordered, tau, accepted }) =>
        tau.filter((_, i) => accepted.includes(ordered[i]!)),
      );
      return [userId, [[Math.min(...times), Math.max(...times)]]];
    }),
    heard.window,
  );
}

/** Every silence within a connection counts, however long. */
export function withoutGaps(heard: Heard): Figures {
  const sessions = judge(input(heard)).sessions;
  return unions(
    sessions.map(({ userId, epochs }) => [
      userId,
      epochs.map(({ ordered, tau, accepted, fence }): Span => {
        const last = accepted.at(-1)!;
        const closed = last.type === "SESSION_CLOSE" || last.type === "LOGOUT";
        const lastMs = tau[ordered.indexOf(last)]!;
        return [tau[0]!, Math.min(fence, lastMs + (closed ? 0 : 30_000))];
      }),
    ]),
    heard.window,
  );
}

/** Each device counts for itself. */
export function devicesSummed(heard: Heard): Figures {
  const [result] = count(input(heard)).definitions;
  const figures = new Map<string, number>();
  for (const { user_id, online_ms } of result!.device_daily) {
    figures.set(user_id, (figures.get(user_id) ?? 0) + online_ms);
  }
  return figures;
}

/** Each session counts for itself. */
export function sessionsSummed(heard: Heard): Figures {
  const [result] = count(input(heard)).definitions;
  return new Map(result!.user_daily.map(({ user_id, session_ms }) => [user_id, session_ms]));
}

/** The client's clock is believed. */
export function clientClock(heard: Heard): Figures {
  const events = heard.events.map((event): RawEvent => {
    const { client_time } = event.values;
    if (typeof client_time !== "number") return event;
    return {
      ...event,
      hourMs: Math.floor(client_time / 3_600_000) * 3_600_000,
      values: { ...event.values, server_time: client_time },
    };
  });
  return exact({ ...heard, events });
}

/** Connections are told apart, but none takes over from another. */
export function withoutEpochs(heard: Heard): Figures {
  const events = heard.events.map((event): RawEvent => {
    const { session_id, session_epoch } = event.values;
    if (session_id === null || typeof session_epoch !== "number") return event;
    return { ...event, values: { ...event.values, session_id: `${session_id}#${session_epoch}`, session_epoch: 0 } };
  });
  return exact({ ...heard, events });
}

/** Half a minute more for each event that comes again. */
export function retriesCounted(heard: Heard): Figures {
  const { sessions, verdicts } = judge(input(heard));
  const figures = new Map(exact(heard));
  const owners = new Map(sessions.map(({ sessionId, userId }) => [sessionId, userId]));
  for (const { event, reason } of verdicts) {
    const isOfDay = event.time >= heard.window.startMs && event.time < heard.window.endMs;
    const isCopy = ["DUPLICATE_EVENT", "DUPLICATE_SEQUENCE"].includes(reason) && event.type === "HEARTBEAT";
    const userId = owners.get(event.sessionId ?? "");
    if (isOfDay && isCopy && userId !== undefined) figures.set(userId, (figures.get(userId) ?? 0) + 30_000);
  }
  return figures;
}

/** The length of each user's time within the day. */
function unions(
  times: Iterable<readonly [userId: string, spans: readonly Span[]]>,
  { startMs, endMs }: DayWindow,
): Figures {
  const spans = new Map<string, Span[]>();
  for (const [userId, own] of times) spans.set(userId, [...(spans.get(userId) ?? []), ...own]);
  const lengths = [...spans].map(([userId, own]): [string, number] => {
    let [length, reached] = [0, startMs];
    for (const [start, end] of own.toSorted(([a], [b]) => a - b)) {
      const [from, to] = [Math.max(start, reached), Math.min(end, endMs)];
      if (to > from) length += to - from;
      reached = Math.max(reached, to);
    }
    return [userId, length];
  });
  return new Map(lengths.filter(([, length]) => length > 0));
}

/** Short forms for the oracle's tests: events by clock time, built-in definitions, one call to count a day. */
import type { Definition, Expression } from "../../src/definitions/definition.ts";
import { DEFAULT_SETTINGS, type LakeSettings } from "../../src/plan/settings.ts";
import { count } from "./index.ts";
import type { DefinitionResult, Lake, OracleResult, RawEvent, RawValues } from "./types.ts";

export const HOUR = 3_600_000;
export const DAY = "2024-01-15";
export const DAY_START = Date.UTC(2024, 0, 15);

/** "10:00:30.5" of 2024-01-15 UTC; "+2 09:00" and "-1 23:00" are days after and before it. */
export function at(clock: string, base = DAY_START): number {
  const [, days = "0", hours, minutes, seconds = "0"] =
    /^(?:([+-]\d+) )?(\d+):(\d+)(?::(\d+(?:\.\d+)?))?$/.exec(clock) ?? [];
  if (hours === undefined) throw new Error(`not a clock time: ${clock}`);
  return (
    base +
    Number(days) * 24 * HOUR +
    Number(hours) * HOUR +
    Number(minutes) * 60_000 +
    Math.round(Number(seconds) * 1000)
  );
}

const EMPTY: RawValues = {
  event_id: null,
  user_id: "u1",
  session_id: "s1",
  event_type: "HEARTBEAT",
  server_time: null,
  sequence: null,
  session_epoch: null,
  device_id: "d1",
  client_type: null,
  channel: null,
  app_version: null,
  region: null,
  client_time: null,
  last_active_at: null,
  foreground: null,
  active: null,
  others: {},
};

/** Rows in the order of their making: ids, sequences and row numbers count up unless said otherwise. */
export class LakeBuilder implements Lake {
  readonly events: RawEvent[] = [];

  add(time: string | number, type: string, values: Partial<RawValues> = {}, hourMs?: number): this {
    const serverTime = typeof time === "number" ? time : at(time);
    const row = this.events.length;
    this.events.push({
      hourMs: hourMs ?? Math.floor(serverTime / HOUR) * HOUR,
      file: "a.parquet",
      row,
      values: {
        ...EMPTY,
        event_id: `e${row}`,
        event_type: type,
        server_time: serverTime,
        sequence: type === "SERVER_TIMEOUT" ? null : row,
        ...values,
      },
    });
    return this;
  }

  /** HEARTBEATs from one time to another, both included. */
  beat(from: string | number, to: string | number, stepMs = 30_000, values: Partial<RawValues> = {}): this {
    const last = typeof to === "number" ? to : at(to);
    for (let t = typeof from === "number" ? from : at(from); t <= last; t += stepMs) this.add(t, "HEARTBEAT", values);
    return this;
  }
}

const name = (of: string): Expression => ({ op: "state", name: of });

const CONNECTED: Definition = {
  name: "connected",
  version: 1,
  description: "",
  online: "connected",
  expression: name("connected"),
  gapMaxMs: 90_000,
  gapCreditMs: 30_000,
  tailMs: 30_000,
  idleMs: null,
  foregroundAtStart: true,
  devices: "all",
  lateUpload: "ignore",
  maxShiftMs: 600_000,
  maxSessionMs: null,
  states: new Map(),
  hash: "",
};

export const define = (changes: Partial<Definition>): Definition => ({ ...CONNECTED, ...changes });
const flat = (ms: number) => ({ gapMaxMs: ms, gapCreditMs: ms, tailMs: ms });

/** The built-in definitions of the rules' table. */
export const BUILTIN = {
  connected: CONNECTED,
  foreground: define({
    name: "foreground",
    online: "foreground",
    expression: name("foreground"),
    maxSessionMs: 24 * HOUR,
  }),
  active: define({
    name: "active",
    online: "active",
    expression: name("active"),
    idleMs: 300_000,
    maxSessionMs: 24 * HOUR,
  }),
  liveWatch: define({
    name: "live-watch",
    online: "watching and foreground",
    expression: { op: "and", left: name("watching"), right: name("foreground") },
    maxSessionMs: 24 * HOUR,
    states: new Map([["watching", { kind: "types", on: ["LIVE_ENTER"], off: ["LIVE_LEAVE"] }]]),
  }),
  capped: define({ name: "capped", ...flat(60_000), tailMs: 0 }),
  presence: define({ name: "presence-90s", ...flat(90_000) }),
  lastSeen: define({ name: "last-seen-60s", ...flat(60_000), devices: "latest" }),
  ttl: define({ name: "ttl-300s", ...flat(300_000) }),
} as const;

export interface DayOptions {
  readonly startMs?: number;
  readonly endMs?: number;
  readonly settings?: Partial<LakeSettings>;
  readonly definition?: Definition;
  readonly missingHours?: readonly number[];
}

/** Counts one day (2024-01-15 UTC unless said) under one definition (connected@1 unless said), with all hours there. */
export function countDay(lake: Lake, options: DayOptions = {}): OracleResult & { only: DefinitionResult } {
  const { startMs = DAY_START, missingHours = [] } = options;
  const endMs = options.endMs ?? startMs + 24 * HOUR;
  const hours: number[] = [];
  for (let hour = startMs - 26 * HOUR; hour < endMs + 3 * HOUR; hour += HOUR / 2) {
    const start = Math.floor(hour / HOUR) * HOUR;
    if (!missingHours.includes(start)) hours.push(start);
  }
  const result = count({
    lake,
    settings: { ...DEFAULT_SETTINGS, ...options.settings },
    definitions: [options.definition ?? BUILTIN.connected],
    window: { zone: "UTC", day: DAY, startMs, endMs },
    hoursWithData: hours,
  });
  return { ...result, only: result.definitions[0]! };
}

/** The online time of each user of a day. */
export function onlineOf(lake: Lake, options: DayOptions = {}): Record<string, number> {
  return Object.fromEntries(countDay(lake, options).only.user_daily.map((row) => [row.user_id, row.online_ms]));
}

/** The online time of one user, 0 where there is no row. */
export const onlineMs = (lake: Lake, options: DayOptions = {}, user = "u1"): number =>
  onlineOf(lake, options)[user] ?? 0;

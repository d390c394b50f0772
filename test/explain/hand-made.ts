/** Small lakes made by hand, each with what explain is to show of it. */
import { HOUR, LakeBuilder } from "../oracle/build.ts";
import type { RawEvent } from "../oracle/types.ts";

export interface HandMade {
  /** Of the golden file. */
  readonly name: string;
  readonly lake: LakeBuilder;
  readonly zone: string;
  readonly day: string;
  readonly user: string;
  /** Built-in names, or a definition's YAML text. */
  readonly metrics: readonly string[];
}

const UTC = { zone: "UTC", day: "2024-01-15", user: "u1" };
const SHANGHAI_30 = Date.UTC(2026, 6, 29, 16); // 2026-07-30 00:00 in Asia/Shanghai

function workedExample(): LakeBuilder {
  return new LakeBuilder()
    .add(SHANGHAI_30 - 120_000, "SESSION_START")
    .beat(SHANGHAI_30 - 90_000, SHANGHAI_30 + 30_000)
    .add(SHANGHAI_30 + 600_000, "HEARTBEAT")
    .add(SHANGHAI_30 + 620_000, "SESSION_CLOSE");
}

/** One of each reason, and an event that arrived late but in time. */
function everyVerdict(): LakeBuilder {
  const lake = new LakeBuilder();
  lake.add("10:00:00", "SESSION_START", { sequence: 1, session_epoch: 1, client_type: "web", app_version: "3.2.1" });
  lake.add("10:00:30", "HEARTBEAT", { sequence: 2, session_epoch: 1 });
  lake.add("10:00:31", "HEARTBEAT", { sequence: 2, session_epoch: 1 }); // DUPLICATE_SEQUENCE
  lake.add("10:00:30", "HEARTBEAT", { event_id: "e1", sequence: 2, session_epoch: 1 }); // DUPLICATE_EVENT
  lake.add("10:00:40", "USER_ACTIVE", { event_id: "e1", sequence: 3, session_epoch: 1 }); // CONFLICTING_EVENT_ID
  lake.add("10:01:05", "HEARTBEAT", { sequence: 4, session_epoch: 1 }); // moved to 10:01:00
  lake.add("10:01:00", "HEARTBEAT", { sequence: 5, session_epoch: 1 });
  lake.add("10:01:10", "HEARTBEAT", { sequence: 6, session_epoch: 1, user_id: "u2" }); // IDENTITY_CONFLICT, user
  lake.add("10:01:11", "HEARTBEAT", { sequence: 7, session_epoch: 1, device_id: "d2" }); // IDENTITY_CONFLICT, device
  lake.add("10:01:20", "HEARTBEAT", { sequence: 4_294_967_295, session_epoch: 1 }); // SEQUENCE_JUMP
  lake.add("10:01:30", "HEARTBEAT", { sequence: 8, session_epoch: 1 });
  lake.add("10:01:40", "SERVER_TIMEOUT", { session_epoch: 1 }); // STALE_TIMEOUT
  lake.add("10:02:00", "HEARTBEAT", { sequence: null, session_epoch: 1 }); // MISSING_FIELD
  lake.add("10:02:01", "HEARTBEAT", { sequence: -3, session_epoch: 1 }); // INVALID_VALUE
  lake.add("10:02:02", "ORDER_PICKED", { sequence: 9, session_epoch: 1 }); // UNKNOWN_EVENT_TYPE
  lake.add("15:00:00", "HEARTBEAT", { sequence: 10, session_epoch: 1 }, Date.UTC(2024, 0, 15, 10)); // PARTITION_MISMATCH
  lake.add("10:14:00", "HEARTBEAT", { sequence: 11, session_epoch: 1 });
  lake.add("10:27:00", "HEARTBEAT", { sequence: 12, session_epoch: 1 }); // LATE_EVENT
  lake.add("10:14:30", "HEARTBEAT", { sequence: 13, session_epoch: 1 });
  lake.add("10:30:00", "SESSION_START", { sequence: 1, session_epoch: 2 });
  lake.add("10:30:10", "HEARTBEAT", { sequence: 14, session_epoch: 1 }); // STALE_EPOCH
  lake.add("10:30:30", "LOGOUT", { sequence: 2, session_epoch: 2 });
  lake.add("10:30:40", "HEARTBEAT", { sequence: 3, session_epoch: 2 }); // EVENT_AFTER_CLOSE
  lake.add("10:40:00", "SERVER_TIMEOUT", { session_epoch: 2 }); // valid
  // A session of somebody else, in which the user has one event.
  lake.beat("11:00:00", "11:01:00", 30_000, { session_id: "s2", user_id: "u2", device_id: "d9" });
  lake.add("11:00:15", "HEARTBEAT", { session_id: "s2", device_id: "d9" });
  return lake;
}

/** Foreground, activity, an own state, and an evening before that still holds. */
function states(): LakeBuilder {
  return new LakeBuilder()
    .add("-1 23:50:00", "SESSION_START")
    .add("-1 23:50:20", "APP_BACKGROUND")
    .beat("-1 23:51:00", "-1 23:55:00")
    .add("-1 23:55:10", "APP_FOREGROUND")
    .beat("-1 23:55:30", "00:01:00")
    .add("00:01:10", "LIVE_ENTER")
    .beat("00:01:30", "00:03:00")
    .add("00:03:10", "USER_IDLE", {})
    .beat("00:03:30", "00:04:30")
    .add("00:04:40", "USER_ACTIVE")
    .add("00:05:00", "APP_BACKGROUND")
    .beat("00:05:30", "00:07:00")
    .add("00:07:10", "APP_FOREGROUND", { active: false })
    .add("00:07:40", "HEARTBEAT", { client_time: 1_000_000_060_000, last_active_at: 1_000_000_030_000 })
    .add("00:08:00", "LIVE_LEAVE")
    .add("00:08:20", "SESSION_CLOSE");
}

/** A phone all the time, a tablet for a while. */
function devices(): LakeBuilder {
  return new LakeBuilder()
    .beat("12:00:00", "12:10:00", 30_000, { device_id: "phone", session_id: "s-phone" })
    .add("12:03:10", "SESSION_START", { device_id: "tablet", session_id: "s-tablet" })
    .beat("12:03:40", "12:05:10", 30_000, { device_id: "tablet", session_id: "s-tablet" })
    .add("12:05:20", "SESSION_CLOSE", { device_id: "tablet", session_id: "s-tablet" });
}

/** Offline for five minutes, all of it uploaded at once; and a session that is too long. */
function lateAndLong(): LakeBuilder {
  const lake = new LakeBuilder();
  const noon = Date.UTC(2024, 0, 15, 12);
  const at = (arrived: number, happened: number) =>
    lake.add(noon + arrived * 1000, "HEARTBEAT", { client_time: noon + happened * 1000 });
  at(0, 0);
  at(30, 30);
  for (const second of [90, 150, 210, 270]) at(330, second);
  at(331, 331);
  lake.beat("14:00:00", "15:10:00", 30_000, { session_id: "s-long", device_id: "wall" });
  return lake;
}

const WORKING = `
name: working
version: 3
online: connected
gap: { max: 70s, credit: 0 }
tail: 10s
lateUpload: compensate
maxShift: 10m
maxSession: 1h
`;

/** A whole day of heartbeats: no line for each. */
const longDay = (): LakeBuilder => new LakeBuilder().beat("-1 20:00:00", "+1 00:30:00").add("+1 00:30:10", "LOGOUT");

/** The clock goes back an hour in the middle of the session. */
function clockChange(): LakeBuilder {
  const start = Date.UTC(2021, 9, 31, 0, 59);
  return new LakeBuilder().beat(start, start + 120_000).add(start + 130_000, "SESSION_CLOSE");
}

export const HAND_MADE: readonly HandMade[] = [
  {
    name: "worked-example",
    lake: workedExample(),
    zone: "Asia/Shanghai",
    day: "2026-07-30",
    user: "u1",
    metrics: ["connected"],
  },
  { name: "every-verdict", lake: everyVerdict(), ...UTC, metrics: ["connected"] },
  { name: "states", lake: states(), ...UTC, metrics: ["active", "live-watch"] },
  { name: "devices", lake: devices(), ...UTC, metrics: ["connected", "last-seen-60s"] },
  { name: "late-and-long", lake: lateAndLong(), ...UTC, metrics: [WORKING] },
  { name: "long-day", lake: longDay(), ...UTC, metrics: ["foreground"] },
  {
    name: "clock-change",
    lake: clockChange(),
    zone: "Europe/Prague",
    day: "2021-10-31",
    user: "u1",
    metrics: ["connected"],
  },
];

/** Every hour of `hours` around the lake's own is there, so that days are whole. */
export function hoursAround(events: readonly RawEvent[]): number[] {
  const own = events.map(({ hourMs }) => hourMs);
  const [from, to] = [Math.min(...own) - 50 * HOUR, Math.max(...own) + 50 * HOUR];
  return Array.from({ length: (to - from) / HOUR }, (_, i) => from + i * HOUR);
}

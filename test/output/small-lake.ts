import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { at, LakeBuilder } from "../oracle/build.ts";
import { type Layout, writeRows } from "../support/lake-on-disk.ts";

export const DAY = "2024-01-15";

/** In the order of their UTF-8 bytes, which is neither that of UTF-16 nor of any language. */
export const USERS = ["9007199254740992", "9007199254740993", "Z", "a", "a b", "é", "\uFF5E", "\u{1F600}"];

/** A lake of which every published table has rows. */
export function smallLake(): LakeBuilder {
  const rows = new LakeBuilder();
  for (const [i, user_id] of USERS.entries()) {
    const phone = {
      user_id,
      session_id: `s-${user_id}`,
      device_id: `phone-${i}`,
      client_type: i % 2 ? "ios" : "Android",
    };
    const web = { user_id, session_id: `w-${user_id}`, device_id: null, region: i % 3 ? "eu" : null, channel: "é" };
    const start = at("10:00") + i * 1000;
    rows.add(start, "SESSION_START", phone).beat(start + 30_000, start + 300_000, 30_000, phone);
    rows.add(start + 900_000, "HEARTBEAT", phone).add(start + 905_000, "SESSION_CLOSE", phone);
    rows.add(start + 60_000, "SESSION_START", web).beat(start + 90_000, start + 150_000, 30_000, web);
    rows.add(start + 100_000, "PING", {
      ...web,
      foreground: true,
      active: false,
      client_time: start,
      last_active_at: start,
    });
  }
  rows.add("11:00", "HEARTBEAT", { event_id: "twice", session_id: "x", sequence: 1 });
  rows.add("11:00", "HEARTBEAT", { event_id: "twice", session_id: "x", sequence: 1 });
  return rows.add("12:00", "HEARTBEAT", { user_id: null });
}

/** A definition under which the longer sessions are quarantined. */
export const STRICT = `name: strict
version: 7
online: connected
gap: { max: 90s, credit: 30s }
tail: 30s
maxSession: 3m
`;

/** Writes the lake, with a file that is none, and the definition; gives their paths. */
export async function writeSmallLake(
  folder: string,
  layout: Layout = {},
): Promise<{ lake: string; metrics: string[] }> {
  mkdirSync(folder, { recursive: true });
  const lake = await writeRows(smallLake().events, join(folder, "lake"), layout);
  writeFileSync(join(lake, "event_date=2024-01-15/event_hour=12/bad.parquet"), "no Parquet");
  const strict = join(folder, "strict.yaml");
  writeFileSync(strict, STRICT);
  return { lake, metrics: ["connected", "active", strict] };
}

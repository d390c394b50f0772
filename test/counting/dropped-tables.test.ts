/** A rebuild forgets tables on its way, and leaves out sessions that cannot bear on the day: neither changes a row. */
import { expect, test } from "vitest";
import type { Definition } from "../../src/definitions/definition.ts";
import type { DuckDbSession } from "../../src/engine/duckdb/session.ts";
import { MART_TABLES } from "../../src/pipeline/tables.ts";
import { DEFAULT_SETTINGS } from "../../src/plan/settings.ts";
import { BUILTIN, DAY, DAY_START, define, HOUR, LakeBuilder } from "../oracle/build.ts";
import { relationRows } from "../support/pipeline-rows.ts";
import { withStages } from "../support/run-memory.ts";

/** What the stages make; the list of bad files comes from elsewhere. */
const TABLES = MART_TABLES.map(({ name }) => name).filter((name) => name !== "quarantined_files");
const COUNTS = ["event_counts", "reason_counts", "metric_counts", "damaged_sessions"];
const ROOTS = [...TABLES, ...COUNTS];

const KINDS: Readonly<Record<string, readonly Definition[]>> = {
  "own states": [BUILTIN.liveWatch],
  "the latest device": [BUILTIN.lastSeen, BUILTIN.active],
  "late uploads moved back": [BUILTIN.connected, define({ name: "moved", lateUpload: "compensate" })],
};

/** Each rule from R7 to R12 has something to reject, and some events move. */
function lake(): LakeBuilder {
  const lake = new LakeBuilder();
  for (let n = 0; n < 5; n++) {
    for (const device of ["a", "b"]) {
      const who = { user_id: `u${n}`, session_id: `s${n}${device}`, device_id: `d${n}${device}` };
      lake.add(`1${n}:00`, "SESSION_START", { ...who, foreground: true }).beat(`1${n}:01`, `1${n}:05`, 30_000, who);
      lake.add(`1${n}:07`, "LIVE_ENTER", who).add(`1${n}:06`, "USER_ACTIVE", who).add(`1${n}:08`, "HEARTBEAT", who);
      lake.add(`1${n}:10`, "SERVER_TIMEOUT", who).add(`1${n}:11`, "HEARTBEAT", { ...who, user_id: "other" });
      lake.add(`1${n}:30`, "HEARTBEAT", { ...who, sequence: 5 }).add(`1${n}:12`, "SESSION_CLOSE", who);
      lake.add(`1${n}:13`, "HEARTBEAT", who).add(`1${n}:14`, "HEARTBEAT", { ...who, session_epoch: 1 });
      lake
        .add(`1${n}:15`, "HEARTBEAT", { ...who, sequence: 9 })
        .add(`1${n}:16`, "LOGOUT", { ...who, session_epoch: 1 });
    }
  }
  return lake;
}

const { events } = lake();
const window = { zone: "UTC", day: DAY, startMs: DAY_START, endMs: DAY_START + 24 * HOUR };

async function allRows(session: DuckDbSession): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for (const name of TABLES) rows[name] = await relationRows(session, name);
  for (const name of COUNTS) rows[name] = await session.rows(`select * from ${name} order by all`);
  return rows;
}

const inputOf = (definitions: readonly Definition[], sequence: "column" | "arrival" = "column") => ({
  events,
  settings: { ...DEFAULT_SETTINGS, sequence },
  definitions,
  window,
});

test.each([...Object.entries(KINDS), ["sequence: arrival", [BUILTIN.lastSeen, BUILTIN.liveWatch]] as const])(
  "%s",
  async (name, definitions) => {
    const input = inputOf(definitions, name === "sequence: arrival" ? "arrival" : "column");
    const kept = await withStages(input, allRows);
    expect(kept.user_daily).not.toEqual([]);
    expect(kept.quarantined_events).not.toEqual([]);

    await withStages({ ...input, roots: ROOTS }, async (session) => {
      expect(await allRows(session)).toEqual(kept);
      const left = (await session.rows("select table_name from duckdb_tables()")).map((row) => row.table_name);
      expect(left).toEqual(expect.arrayContaining(ROOTS));
      for (const great of ["keyed", "sequenced_events", "points", "slots"]) expect(left).not.toContain(great);
    });
    expect(await withStages({ ...input, sessions: "all" }, allRows)).toEqual(kept);
  },
);

/** Faults 34–40 by whole rebuilds: partitions, types and files as the world's lakes have them. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { atTen, DAY, DAY_MS, HOUR_MS, openDuckdb, TEN, writeEvents } from "../lake/support.ts";
import { runCommand } from "../support/command.ts";
import { build, tempFolder } from "../support/lake-on-disk.ts";
import { readPublished } from "../support/read-mart.ts";

const run = await openDuckdb();
const EIGHT = `make_timestamptz(${DAY_MS + 8 * HOUR_MS}000)`;
const USER_DAILY = `user_daily/metric=connected/version=1/date=${DAY}`;
const EVENTS = `quarantined_events/date=${DAY}`;

async function rebuilt(lake: string, changes: Parameters<typeof build>[2] = {}) {
  const out = join(tempFolder("mart-"), "mart");
  const warnings: string[] = [];
  const result = await build(lake, out, { date: DAY, ...changes }, { warn: (text) => warnings.push(text) });
  return { out, warnings, day: result.days[0]!, users: await readPublished(out, USER_DAILY) };
}

describe("partitions", () => {
  test("fault 34: an hour with and without its zero", async () => {
    const lake = tempFolder();
    await writeEvents(run, lake, `date=${DAY}/hour=08/a.parquet`, { event_id: "'a'", server_time: EIGHT });
    await writeEvents(run, lake, `date=${DAY}/hour=8/a.parquet`, {
      event_id: "'b'",
      server_time: EIGHT,
      sequence: "1",
    });
    await writeEvents(run, lake, `date=${DAY}/hour=10/a.parquet`, { event_id: "'c'", sequence: "2" });
    const { day } = await rebuilt(lake);
    expect(day).toMatchObject({ files: 3, events: { owned: 3, accepted: 3, quarantined: {} } });
  });

  test("fault 35: a date that is none is reported, and the days beside it are counted", async () => {
    const lake = tempFolder();
    await writeEvents(run, lake, atTen("a.parquet"));
    await writeEvents(run, lake, "date=unknown/hour=1/b.parquet");
    const { day, warnings } = await rebuilt(lake);
    expect(day.events.accepted).toBe(1);
    expect(warnings).toContainEqual(expect.stringContaining("date=unknown"));
  });
});

describe("types", () => {
  test("fault 36: integers as DOUBLE, a column that is NULL in one file, ids of two types", async () => {
    const lake = tempFolder();
    const sequence = "CAST(CASE WHEN i = 1 THEN 1.5 ELSE i END AS DOUBLE)";
    await writeEvents(run, lake, atTen("a.parquet"), { user_id: "CAST(42 AS BIGINT)", sequence, device_id: "NULL" }, 3);
    const text = { event_id: "'f-' || i", user_id: "'U-7'", session_id: "'s2'", device_id: "'phone'" };
    await writeEvents(run, lake, atTen("b.parquet"), text, 2);
    const { out, day, users } = await rebuilt(lake);
    expect(users).toMatchObject([
      { user_id: "42", online_ms: 90_000, devices: 1 },
      { user_id: "U-7", online_ms: 60_000 },
    ]);
    expect(day.events).toMatchObject({ accepted: 4, quarantined: { INVALID_VALUE: 1 } });
    expect(await readPublished(out, EVENTS)).toMatchObject([{ event_id: "e-1", sequence: null, detail: "sequence" }]);
  });

  test("fault 37: one instant in every unit, floored, never into the next hour", async () => {
    const lake = tempFolder();
    const last = TEN + HOUR_MS - 1;
    const times: Record<string, string> = {
      milliseconds: `CAST(make_timestamp(${last}000) AS TIMESTAMP_MS)`,
      microseconds: `make_timestamp(${last}999)`,
      nanoseconds: `make_timestamp_ns(${last}999999)`,
      zoned: `make_timestamptz(${last}999)`,
      integer: `CAST(${last} AS BIGINT)`,
    };
    for (const [name, server_time] of Object.entries(times)) {
      const ids = { event_id: `'${name}'`, user_id: `'${name}'`, session_id: `'${name}'` };
      await writeEvents(run, lake, atTen(`${name}.parquet`), { ...ids, server_time });
    }
    const { users } = await rebuilt(lake);
    const expected = Object.keys(times)
      .sort()
      .map((user_id) => ({ user_id, online_ms: 30_000, first_online_at: last }));
    expect(users).toMatchObject(expected);
  });

  test.each(["int96", "nanoseconds", "microseconds", "milliseconds"])(
    "fault 37: %s of another writer",
    async (name) => {
      const lake = tempFolder();
      mkdirSync(join(lake, atTen("")), { recursive: true });
      cpSync(join(import.meta.dirname, `../../fixtures/foreign/${name}.parquet`), join(lake, atTen("a.parquet")));
      const { users } = await rebuilt(lake);
      expect(users).toMatchObject([
        { user_id: "u1", first_online_at: TEN + 59_999 },
        { user_id: "u2", first_online_at: TEN + 60_999 },
      ]);
    },
  );
});

describe("files", () => {
  async function damagedLake(): Promise<string> {
    const lake = tempFolder();
    const good = readFileSync(await writeEvents(run, lake, atTen("good.parquet"), {}, 3));
    writeFileSync(join(lake, atTen("empty.parquet")), "");
    writeFileSync(join(lake, atTen("half.parquet")), good.subarray(0, good.length / 2));
    for (const name of ["_SUCCESS", ".good.parquet.crc", "_temporary.parquet"])
      writeFileSync(join(lake, atTen(name)), "x");
    return lake;
  }

  test("fault 38: a run fails over bad files, naming each, and over nothing that is no data", async () => {
    const failure = await rebuilt(await damagedLake()).catch((error: unknown) => error);
    expect(failure).toMatchObject({ exitCode: 3, message: expect.stringMatching(/empty\.parquet.*half\.parquet/) });
    expect(String(failure)).not.toMatch(/_SUCCESS|crc|_temporary|good/);
  });

  test("fault 38: or counts the good ones, as incomplete", async () => {
    const { out, day, users } = await rebuilt(await damagedLake(), { onBadFile: "quarantine" });
    expect(users).toMatchObject([{ user_id: "u1", online_ms: 90_000 }]);
    expect(day).toMatchObject({ complete: false, files: 1 });
    expect(await readPublished(out, `quarantined_files/date=${DAY}`)).toMatchObject([
      { path: atTen("empty.parquet"), bytes: 0, reason: "EMPTY_FILE" },
      { path: atTen("half.parquet"), reason: expect.stringMatching(/TRUNCATED|NOT_PARQUET/) },
    ]);
  });

  test.each(["a[b]", "a*b?", "a'b", "a b", "Ünïcödé-日本", 'a"b', "a{b,c}", "a%20b#c"])(
    "fault 39: a lake in %s",
    async (name) => {
      const lake = join(tempFolder(), name);
      mkdirSync(dirname(join(lake, "x")), { recursive: true });
      await writeEvents(
        run,
        lake,
        atTen(`${name}.parquet`),
        { event_type: "CASE i WHEN 0 THEN 'PING' ELSE 'HEARTBEAT' END" },
        3,
      );
      const out = join(tempFolder("mart-"), name);
      await build(lake, out, { date: DAY });
      expect(await readPublished(out, USER_DAILY)).toMatchObject([{ online_ms: 60_000 }]);
      expect(await readPublished(out, EVENTS)).toMatchObject([
        { source_file: atTen(`${name}.parquet`), source_row: 0 },
      ]);
    },
  );

  test("fault 40: many more files than a process may open", async () => {
    const [lake, out] = [tempFolder(), join(tempFolder("mart-"), "mart")];
    for (let file = 0; file < 2400; file++) {
      const first = DAY_MS + (file % 24) * HOUR_MS + Math.floor(file / 24) * 30_000;
      await writeEvents(
        run,
        lake,
        `event_date=${DAY}/event_hour=${file % 24}/${file}.parquet`,
        {
          event_id: `'${file}-' || i`,
          session_id: `'${file % 24}-' || i`,
          server_time: `make_timestamptz(${first}000)`,
          sequence: `${file}`,
        },
        10,
      );
    }
    const args = [
      "rebuild",
      "--date",
      DAY,
      "--lake",
      lake,
      "--out",
      out,
      "--tz",
      "UTC",
      "--metric",
      "connected",
      "--json",
    ];
    const ran = await runCommand(args, { shell: "ulimit -n 256;" });
    expect(ran).toMatchObject({ code: 0 });
    expect(JSON.parse(ran.stdout).days[0]).toMatchObject({ files: 2400, events: { owned: 24_000, accepted: 24_000 } });
    // In each hour ten sessions of 100 events, 30 s apart, and a tail.
    expect(await readPublished(out, USER_DAILY)).toMatchObject([{ online_ms: 24 * 100 * 30_000, sessions: 240 }]);
  }, 120_000);
});

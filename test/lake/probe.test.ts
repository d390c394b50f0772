import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { probeFiles } from "../../src/lake/probe.ts";
import { findUnreadable } from "../../src/lake/read-errors.ts";
import { atTen, openDuckdb, readLake, SETTINGS, TEN, tempFolder, writeEvents } from "./support.ts";

const runSql = await openDuckdb();

async function probeOne(columns: Parameters<typeof writeEvents>[3], settings = SETTINGS, rows = 1) {
  const lake = tempFolder();
  await writeEvents(runSql, lake, atTen("a.parquet"), columns, rows);
  return readLake(runSql, lake, settings);
}

function put(lake: string, path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(lake, path)), { recursive: true });
  writeFileSync(join(lake, path), content);
}

describe("files that are no whole Parquet (fault 38)", () => {
  it("are each named with a reason, and the others are read", async () => {
    const lake = tempFolder();
    const good = await writeEvents(runSql, lake, atTen("good.parquet"), {}, 100);
    const bytes = readFileSync(good);
    put(lake, atTen("_SUCCESS"), "");
    put(lake, atTen(".good.parquet.crc"), "crc");
    put(lake, atTen("_temporary.parquet"), "");
    put(lake, atTen("b-zero.parquet"), "");
    put(lake, atTen("c-half.parquet"), bytes.subarray(0, bytes.length / 2));
    put(lake, atTen("d-csv.parquet"), "event_id,user_id\n1,2\n");
    put(lake, atTen("e-short.parquet"), "PAR1");
    put(lake, atTen("f-garbled.parquet"), garbleFooter(bytes));
    put(lake, atTen("g-encrypted.parquet"), Buffer.concat([Buffer.from("PARE"), bytes.subarray(4)]));
    put(lake, atTen("h-footer.parquet"), Buffer.concat([bytes.subarray(0, 4), bytes.subarray(-40)]));
    symlinkSync("nowhere", join(lake, atTen("i-link.parquet")));
    mkdirSync(join(lake, atTen("j.parquet")));
    const { probe, events, listing } = await readLake(runSql, lake);
    expect(events).toHaveLength(100);
    expect(probe.good.map((file) => [file.relative, file.rows])).toEqual([[atTen("good.parquet"), 100]]);
    expect(probe.bad.map((file) => [file.relative.split("/")[2], file.bytes, file.reason])).toEqual([
      ["b-zero.parquet", 0, "EMPTY_FILE"],
      ["c-half.parquet", Math.floor(bytes.length / 2), "TRUNCATED"],
      ["d-csv.parquet", 21, "NOT_PARQUET"],
      ["e-short.parquet", 4, "TRUNCATED"],
      ["f-garbled.parquet", bytes.length, "UNREADABLE"],
      ["g-encrypted.parquet", bytes.length, "UNREADABLE"],
      ["h-footer.parquet", 44, "TRUNCATED"],
      ["i-link.parquet", 0, "VANISHED"],
    ]);
    expect(probe.bad.every((file) => !file.detail.includes("\n") && !file.detail.includes(lake))).toBe(true);
    expect(listing.oddities).toEqual([{ path: atTen("j.parquet"), reason: "a folder inside an hour" }]);
  });

  function garbleFooter(bytes: Buffer): Buffer {
    const length = bytes.readUInt32LE(bytes.length - 8);
    return Buffer.concat([bytes.subarray(0, -8 - length), Buffer.alloc(length, 0xff), bytes.subarray(-8)]);
  }

  it("are found where only the pages are damaged, by reading", async () => {
    const lake = tempFolder();
    await writeEvents(runSql, lake, atTen("a.parquet"), {}, 100);
    const path = await writeEvents(runSql, lake, atTen("b.parquet"), {}, 100);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xff, 4, 200));
    put(lake, atTen("c.parquet"), readFileSync(join(import.meta.dirname, "../../fixtures/foreign/not-utf8.parquet")));
    await expect(readLake(runSql, lake)).rejects.toThrow();
    const { probe } = await readLake(async (sql) => (sql.includes("event_no") ? [] : runSql(sql)), lake);
    expect(probe.bad).toEqual([]);
    const unreadable = await findUnreadable(probe.good, SETTINGS, runSql);
    expect(unreadable.map((file) => [file.relative, file.reason])).toEqual([
      [atTen("b.parquet"), "UNREADABLE"],
      [atTen("c.parquet"), "UNREADABLE"],
    ]);
    expect(unreadable[1]?.detail).toMatch(/^Invalid Input Error: Invalid string encoding/);
  });

  it("are found where only one of the lake's other columns is damaged", async () => {
    const lake = tempFolder();
    await writeEvents(runSql, lake, atTen("a.parquet"), { note: "'fine'" });
    const path = await writeEvents(runSql, lake, atTen("b.parquet"), { note: "'ZZZZ' || 'ZZZZ'" });
    const bytes = readFileSync(path);
    for (let at = bytes.indexOf("ZZZZZZZZ"); at >= 0; at = bytes.indexOf("ZZZZZZZZ")) {
      bytes.fill(0xff, at, at + 8);
    }
    writeFileSync(path, bytes);
    const { probe, events } = await readLake(runSql, lake);
    expect(events).toHaveLength(2);
    expect(await findUnreadable(probe.good, SETTINGS, runSql)).toMatchObject([
      { relative: atTen("b.parquet"), reason: "UNREADABLE" },
    ]);
  });

  it("vanish between listing and probing", async () => {
    const lake = tempFolder();
    const path = await writeEvents(runSql, lake, atTen("a.parquet"));
    const { listing } = await readLake(runSql, lake);
    rmSync(path);
    const { bad } = await probeFiles(listing.files, SETTINGS, runSql);
    expect(bad).toMatchObject([{ reason: "VANISHED", detail: "gone since the lake was listed" }]);
    await writeEvents(runSql, lake, atTen("a.parquet"), {}, 1000);
    truncateSync(path, 500);
    expect((await probeFiles(listing.files, SETTINGS, runSql)).bad).toMatchObject([{ reason: "TRUNCATED" }]);
  });
});

describe("a machine in trouble", () => {
  it.each([
    "Out of Memory Error: failed to allocate data of size 32.0 KiB (0 bytes/1000 bytes used)",
    "Out of Memory Error: could not allocate block of size 256.0 KiB (381.4 MiB/381.4 MiB used)",
    'IO Error: Cannot open file "a.parquet": Too many open files',
    'IO Error: Could not write file "x.tmp": No space left on device',
    "INTERRUPT Error: Interrupted!",
  ])("is no fault of a file: %s", async (message) => {
    const lake = tempFolder();
    await writeEvents(runSql, lake, atTen("a.parquet"));
    const { listing, probe } = await readLake(runSql, lake);
    const failing = async () => {
      throw new Error(message);
    };
    await expect(probeFiles(listing.files, SETTINGS, failing)).rejects.toThrow(message);
    await expect(findUnreadable(probe.good, SETTINGS, failing)).rejects.toThrow(message);
    const footersOnly: typeof runSql = (sql) => (sql.includes("whole_numbers") ? failing() : runSql(sql));
    await writeEvents(runSql, lake, atTen("a.parquet"), { server_time: `${TEN}` });
    await expect(readLake(footersOnly, lake)).rejects.toThrow(message);
  });

  it("is not meant by a garbled header that asks for more than such a file can hold", async () => {
    const lake = tempFolder();
    await writeEvents(runSql, lake, atTen("a.parquet"));
    const { listing } = await readLake(runSql, lake);
    const { bad } = await probeFiles(listing.files, SETTINGS, async () => {
      throw new Error("Out of Memory Error: failed to allocate data of size 3.9 GiB (0 bytes/1.0 GiB used)");
    });
    expect(bad).toMatchObject([{ reason: "UNREADABLE" }]);
  });
});

describe("columns", () => {
  it("are found in snake_case and camelCase, in any order", async () => {
    const { events } = await probeOne({
      user_id: null,
      session_id: null,
      event_type: null,
      server_time: null,
      appVersion: "'1.2'",
      lastActiveAt: `${TEN}`,
      serverTime: `make_timestamp(${TEN}000)`,
      sessionId: "'s'",
      epoch: "3",
      eventType: "'HEARTBEAT'",
      userId: "'u'",
    });
    expect(events).toMatchObject([
      {
        user_id: "u",
        session_id: "s",
        event_type: "HEARTBEAT",
        server_ms: TEN,
        session_epoch: 3,
        app_version: "1.2",
        last_active_ms: TEN,
      },
    ]);
  });

  it("may be absent where optional, and typed NULL anywhere", async () => {
    const { events, probe } = await probeOne({ event_id: "NULL", region: "NULL", active: "NULL" });
    expect(probe.bad).toEqual([]);
    expect(events).toMatchObject([
      {
        event_id: null,
        device_id: null,
        region: null,
        client_ms: null,
        foreground: null,
        active: null,
        session_epoch: null,
      },
    ]);
  });

  it.each(["event_id", "user_id", "session_id", "event_type", "server_time", "sequence"])("lacks %s", async (name) => {
    const { probe } = await probeOne({ [name]: null });
    expect(probe.bad).toMatchObject([
      { reason: "MISSING_COLUMN", detail: expect.stringContaining(`no column ${name}`) },
    ]);
  });

  it.each([
    ["event_id", "1.5::DOUBLE"],
    ["user_id", "TRUE"],
    ["session_id", "DATE '2026-07-29'"],
    ["event_type", "1.50::DECIMAL(9,2)"],
    ["server_time", "DATE '2026-07-29'"],
    ["server_time", "TIME '10:00:00'"],
    ["server_time", "TRUE"],
    ["sequence", "[1]"],
    ["sequence", `make_timestamp(${TEN}000)`],
    ["device_id", "{'id': 'd'}"],
    ["client_time", "DATE '2026-07-29'"],
    ["session_epoch", "TRUE"],
    ["foreground", "1"],
    ["active", "1.0::DOUBLE"],
  ])("has %s as %s, which is a bad file", async (name, sql) => {
    const { probe } = await probeOne({ [name]: sql });
    expect(probe.bad).toMatchObject([{ reason: "COLUMN_TYPE", detail: expect.stringContaining(name) }]);
  });

  it.each([
    ["foreground", "NULL::INTEGER"],
    ["device_id", "NULL::DOUBLE"],
    ["device_id", "'nan'::DOUBLE"],
    ["client_time", "NULL::DATE"],
    ["channel", "NULL::INTEGER[]"],
  ])("has %s as %s: a column without values is as good as typed NULL", async (name, sql) => {
    const { probe, events } = await probeOne({ [name]: sql });
    expect(probe.bad).toEqual([]);
    expect(events).toMatchObject([{ foreground: null, device_id: null, client_ms: null, channel: null }]);
  });

  it.each([
    ["event_id", "eventId", "'x'"],
    ["session_epoch", "epoch", "1"],
  ])("has both %s and %s, which is a bad file", async (one, other, sql) => {
    const { probe } = await probeOne({ [one]: sql, [other]: sql });
    expect(probe.bad).toMatchObject([{ reason: "AMBIGUOUS_COLUMN", detail: expect.stringContaining(other) }]);
  });

  it("needs no sequence with `sequence: arrival`, nor looks at it", async () => {
    const arrival = { ...SETTINGS, sequence: "arrival" as const };
    expect((await probeOne({ sequence: null }, arrival)).events).toHaveLength(1);
    const { events } = await probeOne({ sequence: "'abc'" }, arrival);
    expect(events).toMatchObject([{ sequence: null, unread_sequence: false }]);
  });

  it.each([
    ["stored as BOOLEAN", ["TRUE", "FALSE", "NULL"], [true, false, null], [false, false, false]],
    [
      "stored as text",
      ["'True'", "'f'", "'1'", "'NO'", "' y '", "'0'"],
      [true, false, true, false, true, false],
      Array(6).fill(false),
    ],
    [
      "stored as text that is none",
      ["'on'", "'2'", "''", "' '", "NULL"],
      [null, null, null, null, null],
      [true, true, false, false, false],
    ],
  ])("has booleans %s", async (_, values, read, unread) => {
    const { events } = await probeOne({ foreground: `([${values.join(", ")}])[i + 1]` }, SETTINGS, values.length);
    expect(events.map((event) => event.foreground)).toEqual(read);
    expect(events.map((event) => event.unread_foreground)).toEqual(unread);
  });

  it("has empty text, which is null", async () => {
    const { events } = await probeOne({ event_id: "''", user_id: "' '", device_id: "''", client_time: "''" });
    expect(events).toMatchObject([
      { event_id: null, user_id: " ", device_id: null, client_ms: null, unread_client_time: false },
    ]);
  });
});

describe("integer times in a unit", () => {
  const at = (factor: string) => ({ server_time: `((${TEN} + i * 1000)${factor})::BIGINT` });

  it.each([
    ["s", "// 1000"],
    ["us", "* 1000"],
    ["ns", "* 1000000"],
  ] as const)("%s: is refused undeclared with a hint, and read when declared", async (unit, factor) => {
    const { probe } = await probeOne(at(factor), SETTINGS, 3);
    expect(probe.bad).toMatchObject([
      { reason: "TIME_UNIT", detail: expect.stringContaining(`declare timeUnit: ${unit}`) },
    ]);
    const declared = await probeOne(at(factor), { ...SETTINGS, timeUnit: unit }, 3);
    expect(declared.events.map((event) => event.server_ms)).toEqual([TEN, TEN + 1000, TEN + 2000]);
  });

  it("are floored from finer units", async () => {
    const { events } = await probeOne({ server_time: `${TEN}999999` }, { ...SETTINGS, timeUnit: "ns" });
    expect(events).toMatchObject([{ server_ms: TEN }]);
  });

  it.each([
    ["exactly half are outside: the rows are judged, not the file", `CASE WHEN i < 2 THEN 5 ELSE ${TEN} END`, []],
    ["more than half are outside", `CASE WHEN i < 3 THEN 5 ELSE ${TEN} END`, ["TIME_UNIT"]],
    ["nulls do not count", `CASE WHEN i < 3 THEN NULL ELSE ${TEN} END`, []],
    ["whole DOUBLEs count", `CASE WHEN i < 3 THEN 5 ELSE ${TEN} END::DOUBLE`, ["TIME_UNIT"]],
    ["numbers in text count", "CASE WHEN i < 3 THEN '5' ELSE '2026-07-29T10:00:00Z' END", ["TIME_UNIT"]],
    ["other text does not", "CASE WHEN i < 3 THEN 'x' ELSE '2026-07-29T10:00:00Z' END", []],
    ["timestamps are never judged so", "make_timestamp(5)", []],
  ])("%s", async (_, sql, reasons) => {
    const { probe } = await probeOne({ server_time: sql }, SETTINGS, 4);
    expect(probe.bad.map((file) => file.reason)).toEqual(reasons);
  });

  it("beyond a BIGINT of ms cannot be read", async () => {
    const { events } = await probeOne({ client_time: "9223372036854775807" }, { ...SETTINGS, timeUnit: "s" });
    expect(events).toMatchObject([{ client_ms: null, unread_client_time: true }]);
  });
});

it("takes an infinite timestamp for one that cannot be read", async () => {
  const { events } = await probeOne({ server_time: "TIMESTAMPTZ 'infinity'", client_time: "TIMESTAMP '-infinity'" });
  expect(events).toMatchObject([
    { server_ms: null, unread_server_time: true, client_ms: null, unread_client_time: true },
  ]);
});

it("floors times before 1970, too", async () => {
  const { events } = await probeOne({
    server_time: "make_timestamptz(-1)",
    client_time: "'1969-12-31T23:59:59.9999Z'",
  });
  expect(events).toMatchObject([{ server_ms: -1, client_ms: -1 }]);
});

it("knows which texts name no zone", async () => {
  const { probe } = await probeOne({ server_time: "'2026-07-29 10:00:00'", client_time: "'2026-07-29T10:00:00Z'" });
  expect(probe.good[0]?.zoneless).toEqual(["server_time"]);
});

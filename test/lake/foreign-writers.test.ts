import { cpSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { otherColumnsSelect } from "../../src/engine/duckdb/reading/other-columns.ts";
import { inputNotes } from "../../src/lake/manifest-inputs.ts";
import { atTen, openDuckdb, readLake, TEN, tempFolder } from "./support.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures/foreign");
const FIRST_MS = TEN + 59_999;
// It has no type declarations.
const parquetjs = createRequire(import.meta.url)("parquetjs-lite");
const runSql = await openDuckdb();

function lakeOf(...names: string[]): string {
  const lake = tempFolder();
  mkdirSync(join(lake, atTen("")), { recursive: true });
  for (const name of names) {
    cpSync(join(FIXTURES, `${name}.parquet`), join(lake, atTen(`${name}.parquet`)));
  }
  return lake;
}

describe("times of every unit (fault 37)", () => {
  it.each([
    ["int96", ["server_time", "client_time"]],
    ["nanoseconds", ["client_time"]],
    ["microseconds", ["client_time"]],
    ["milliseconds", ["client_time"]],
  ])("%s are floored to ms, and files without a zone are known", async (name, zoneless) => {
    const { probe, events } = await readLake(runSql, lakeOf(name));
    expect(probe.bad).toEqual([]);
    expect(probe.good[0]).toMatchObject({ rows: 3, zoneless });
    for (const column of ["server_ms", "client_ms"]) {
      expect(events[0]?.[column]).toBe(FIRST_MS);
      expect(events[2]?.[column]).toBe(FIRST_MS + 1000);
    }
    expect(events.some((event) => event.unread_server_time || event.unread_client_time)).toBe(false);
  });

  it("are equal across files read in one run", async () => {
    const { events } = await readLake(
      runSql,
      lakeOf("int96", "nanoseconds", "microseconds", "milliseconds", "integers"),
    );
    const firsts = events.filter((_, index) => index % 3 === 0);
    expect(firsts.map((event) => event.server_ms)).toEqual(Array(5).fill(FIRST_MS));
  });
});

it("reads integers as their exact decimal text", async () => {
  const { events } = await readLake(runSql, lakeOf("integers"));
  expect(events).toMatchObject([
    {
      event_id: "9007199254740993",
      user_id: "18446744073709551615",
      session_id: "10000000000000000000000000000000000001",
      sequence: 0,
      session_epoch: null,
      unread_session_epoch: true,
      device_id: "255",
      client_ms: FIRST_MS,
    },
    { event_id: "9007199254740992", user_id: "0", session_id: "7", sequence: 1, session_epoch: 3, device_id: "0" },
    { event_id: "-1", user_id: null, session_id: null, sequence: null, unread_sequence: false, session_epoch: null },
  ]);
});

it("reads bare binary, dictionaries, UUID and JSON as text, and columns typed NULL as null", async () => {
  const { events, probe } = await readLake(runSql, lakeOf("binaries"));
  expect(probe.bad).toEqual([]);
  expect(inputNotes(probe.good, []).nullColumns).toEqual(["foreground", "region"]);
  expect(events).toMatchObject([
    {
      event_id: "e0",
      user_id: "u1",
      session_id: "abcd",
      event_type: "SESSION_START",
      device_id: "00000000-0000-0000-0000-000000000001",
      client_type: '{"os":"ios"}',
      channel: "store",
      region: null,
      foreground: null,
    },
    { event_id: "é", user_id: "u2", session_id: "efgh", event_type: "HEARTBEAT", client_type: "[]", channel: null },
    { event_id: null, user_id: null, session_id: null, event_type: null, device_id: null, client_type: null },
  ]);
});

it("reads nullable integers that pandas stored as DOUBLE", async () => {
  const { events } = await readLake(runSql, lakeOf("nullable-doubles"));
  expect(events).toMatchObject([
    { sequence: 0, unread_sequence: false, session_epoch: null, unread_session_epoch: false },
    { sequence: null, unread_sequence: true, session_epoch: 2, unread_session_epoch: false },
    { sequence: null, unread_sequence: false, session_epoch: null, unread_session_epoch: true },
  ]);
});

it("reads the page encodings of other writers", async () => {
  const { events } = await readLake(runSql, lakeOf("encodings"));
  expect(events).toMatchObject([
    { event_id: "e0", user_id: "u1", session_id: "s1", server_ms: FIRST_MS, sequence: 0 },
    { event_id: "e1", user_id: "u1", session_id: "s1", server_ms: TEN + 60_000, sequence: 1 },
    { event_id: "e2", user_id: "u2", session_id: "s2", server_ms: FIRST_MS + 1000, sequence: 0 },
  ]);
});

it("refuses dates as times and groups as text", async () => {
  const { probe } = await readLake(runSql, lakeOf("date-as-time", "nested", "milliseconds"));
  expect(probe.good.map((file) => file.relative)).toEqual([atTen("milliseconds.parquet")]);
  expect(probe.bad).toMatchObject([
    { relative: atTen("date-as-time.parquet"), reason: "COLUMN_TYPE", detail: expect.stringContaining("server_time") },
    { relative: atTen("nested.parquet"), reason: "COLUMN_TYPE", detail: expect.stringContaining("device_id") },
  ]);
});

it("is not misled by columns named as DuckDB names a row's origin, or alike but for their case", async () => {
  const { events, probe } = await readLake(runSql, lakeOf("confusing-names", "milliseconds"));
  expect(probe.bad).toEqual([]);
  expect(events.map((event) => [event.event_no, event.event_id])).toEqual([
    [0, "e0"],
    [1, "e1"],
    [2, "e2"],
    [2 ** 32, "e0"],
    [2 ** 32 + 1, "e1"],
    [2 ** 32 + 2, "e2"],
  ]);
  const columns = ["EVENT_ID", "file_index", "File_Row_Number"].map((name, index) => ({ name, as: `x${index}` }));
  const others = await runSql(`SELECT * FROM (${otherColumnsSelect(probe.good, columns)}) ORDER BY event_no LIMIT 1`);
  expect(others).toEqual([{ event_no: 0n, x0: "wrong", x1: "7", x2: "x" }]);
});

it("reads parquetjs-lite's files: timestamps of the older kind are UTC, JSON keys can be ids", async () => {
  const lake = tempFolder();
  const path = join(lake, atTen("js.parquet"));
  mkdirSync(join(lake, atTen("")), { recursive: true });
  const schema = new parquetjs.ParquetSchema({
    eventId: { type: "JSON" },
    userId: { type: "INT64" },
    sessionId: { type: "BYTE_ARRAY", optional: true },
    eventType: { type: "ENUM" },
    serverTime: { type: "TIMESTAMP_MILLIS" },
    sequence: { type: "INT32", optional: true },
    clientTime: { type: "TIMESTAMP_MICROS" },
  });
  const writer = await parquetjs.ParquetWriter.openFile(schema, path);
  for (const index of [0, 1, 2]) {
    await writer.appendRow({
      eventId: { id: index },
      userId: 42,
      sessionId: Buffer.from("s1"),
      eventType: "HEARTBEAT",
      serverTime: new Date(TEN + index),
      ...(index === 1 ? {} : { sequence: index }),
      clientTime: new Date(TEN + index),
    });
  }
  await writer.close();
  const { probe, events } = await readLake(runSql, lake);
  expect(probe.good[0]?.zoneless).toEqual([]);
  expect(events).toMatchObject([
    { event_id: '{"id":0}', user_id: "42", session_id: "s1", event_type: "HEARTBEAT", server_ms: TEN, sequence: 0 },
    { event_id: '{"id":1}', server_ms: TEN + 1, sequence: null, unread_sequence: false },
    { event_id: '{"id":2}', client_ms: TEN + 2, sequence: 2 },
  ]);
});

import { describe, expect, it } from "vitest";
import {
  otherColumnNames,
  otherColumnsSelect,
  otherColumnsSortSelect,
} from "../../src/engine/duckdb/reading/other-columns.ts";
import { RAW_EVENT_COLUMNS, rawEventsSelect } from "../../src/engine/duckdb/reading/raw-events.ts";
import { inputNotes, manifestInputs } from "../../src/lake/manifest-inputs.ts";
import {
  atTen,
  DAY,
  DAY_MS,
  HOUR_MS,
  openDuckdb,
  readLake,
  SETTINGS,
  TEN,
  tempFolder,
  writeEvents,
} from "./support.ts";

const runSql = await openDuckdb();

describe("files of different schemas in one lake", () => {
  it("are each read by its own (fault 36)", async () => {
    const lake = tempFolder();
    await writeEvents(runSql, lake, atTen("a.parquet"), { user_id: "42::BIGINT", region: "NULL" });
    await writeEvents(runSql, lake, atTen("b.parquet"), { user_id: "'U-7'", region: "'eu'" });
    await writeEvents(runSql, lake, atTen("c.parquet"), { user_id: "42::BIGINT", region: "NULL" });
    await writeEvents(runSql, lake, `dt=${DAY}/hr=9/d.parquet`, { user_id: "9007199254740993", sequence: "'7'" });
    const { events } = await readLake(runSql, lake);
    expect(events.map((event) => [event.event_no, event.hour_ms, event.user_id, event.region, event.sequence])).toEqual(
      [
        [0, DAY_MS + 9 * HOUR_MS, "9007199254740993", null, 7],
        [2 ** 32, TEN, "42", null, 0],
        [2 * 2 ** 32, TEN, "U-7", "eu", 0],
        [3 * 2 ** 32, TEN, "42", null, 0],
      ],
    );
  });

  it("keep the wider of two integer types (one scan takes the types of its first file)", async () => {
    const lake = tempFolder();
    await writeEvents(runSql, lake, atTen("a.parquet"), { user_id: "1::TINYINT", sequence: "1::TINYINT" });
    await writeEvents(runSql, lake, atTen("b.parquet"), { user_id: "9007199254740993", sequence: "4294967295" });
    await writeEvents(runSql, lake, atTen("c.parquet"), { user_id: "2::UBIGINT", sequence: "2::DECIMAL(18,0)" });
    await writeEvents(runSql, lake, atTen("d.parquet"), {
      user_id: "3::DECIMAL(38,0)",
      sequence: "3.00::DECIMAL(9,2)",
    });
    const { events } = await readLake(runSql, lake);
    expect(events.map((event) => [event.user_id, event.sequence])).toEqual([
      ["1", 1],
      ["9007199254740993", 4294967295],
      ["2", 2],
      ["3", 3],
    ]);
  });

  it("number rows by file and row, whatever the row groups", async () => {
    const lake = tempFolder();
    await writeEvents(runSql, lake, atTen("a.parquet"), {}, 3);
    await writeEvents(runSql, lake, atTen("b.parquet"), {}, 300_000);
    const { probe } = await readLake(runSql, lake);
    const select = rawEventsSelect(probe.good, SETTINGS);
    const rows = await runSql(`SELECT count(*)::INT AS n, count(DISTINCT event_no)::INT AS distinct_n,
      bool_and(event_id = 'e-' || (event_no % 4294967296)) AS in_place FROM (${select}) WHERE event_no >= 4294967296`);
    expect(rows).toEqual([{ n: 300_000, distinct_n: 300_000, in_place: true }]);
  });

  it("give the columns and types of the relation, also without any file", async () => {
    const describe = async (select: string) =>
      (await runSql(`DESCRIBE ${select}`)).map((row) => `${row.column_name} ${row.column_type}`);
    const lake = tempFolder();
    await writeEvents(runSql, lake, atTen("a.parquet"), { client_time: "'2026-07-29 10:00'", foreground: "'t'" });
    const { probe } = await readLake(runSql, lake);
    const none = await describe(rawEventsSelect([], SETTINGS));
    expect(await describe(rawEventsSelect(probe.good, SETTINGS))).toEqual(none);
    expect(none.map((column) => column.split(" ")[0])).toEqual(RAW_EVENT_COLUMNS);
    expect(await runSql(rawEventsSelect([], SETTINGS))).toEqual([]);
  });

  it("read only the columns that are selected", async () => {
    const lake = tempFolder();
    await writeEvents(runSql, lake, atTen("a.parquet"), { region: "'eu'" });
    await writeEvents(runSql, lake, atTen("b.parquet"), { client_time: "'2026-07-29 10:00'" });
    const { probe } = await readLake(runSql, lake);
    const plan = await runSql(`EXPLAIN SELECT event_no, event_id FROM (${rawEventsSelect(probe.good, SETTINGS)})`);
    const text = plan.map((row) => String(row.explain_value)).join("\n");
    expect(text).toContain("event_id");
    expect(text).not.toMatch(/user_id|region|client_time|server_time/);
  });
});

describe("the lake's other columns", () => {
  it("are read as text, null where a file lacks them", async () => {
    const lake = tempFolder();
    await writeEvents(runSql, lake, atTen("a.parquet"), { activityKind: "'pickup'", speed: "7", tags: "[1, 2]" });
    await writeEvents(runSql, lake, atTen("b.parquet"), { activity_kind: "''", speed: "'fast'", channel: "'web'" });
    await writeEvents(runSql, lake, atTen("c.parquet"), { activity_kind: "NULL", foreground: "TRUE" });
    const { probe } = await readLake(runSql, lake);
    const columns = ["activity_kind", "speed", "tags", "channel", "foreground"].map((name) => ({
      name,
      as: `x_${name}`,
    }));
    const rows = await runSql(`SELECT * FROM (${otherColumnsSelect(probe.good, columns)}) ORDER BY event_no`);
    expect(rows.map((row) => Object.values(row).slice(1))).toEqual([
      ["pickup", "7", "[1, 2]", null, null],
      [null, "fast", null, "web", null],
      [null, null, null, null, "true"],
    ]);
    expect(otherColumnNames(probe.good)).toEqual(["activityKind", "activity_kind", "speed", "tags"]);
  });

  it("are, where the contract knows them, found by any of their names", async () => {
    const lake = tempFolder();
    await writeEvents(runSql, lake, atTen("a.parquet"), { epoch: "1" });
    await writeEvents(runSql, lake, atTen("b.parquet"), { sessionEpoch: "2" });
    const { probe } = await readLake(runSql, lake);
    for (const name of ["session_epoch", "epoch"]) {
      const rows = await runSql(
        `SELECT * FROM (${otherColumnsSelect(probe.good, [{ name, as: "e" }])}) ORDER BY event_no`,
      );
      expect(rows.map((row) => row.e)).toEqual(["1", "2"]);
    }
  });

  it("are the same text whether whole numbers are stored as integers or, for the sake of nulls, as doubles", async () => {
    const lake = tempFolder();
    await writeEvents(runSql, lake, atTen("a.parquet"), { level: "2" });
    for (const [n, level] of ["2.0", "-3.0", "2.5", "'nan'", "NULL", "'inf'", "1e300"].entries())
      await writeEvents(runSql, lake, atTen(`b${n}.parquet`), { level: `${level}::DOUBLE` });
    await writeEvents(runSql, lake, atTen("c.parquet"), { level: "2::FLOAT" });
    const { probe } = await readLake(runSql, lake);
    const rows = await runSql(
      `SELECT * FROM (${otherColumnsSelect(probe.good, [{ name: "level", as: "level" }])}) ORDER BY event_no`,
    );
    expect(rows.map((row) => row.level)).toEqual(["2", "2", "-3", "2.5", null, null, "inf", "1e+300", "2"]);
  });

  it("may be bytes that are no text", async () => {
    const lake = tempFolder();
    await writeEvents(runSql, lake, atTen("a.parquet"), {
      payload: "'\\xFF\\x00'::BLOB",
      state: "encode('ö')",
      channel: "encode('ö')",
    });
    const { probe, events } = await readLake(runSql, lake);
    expect(events).toMatchObject([{ channel: "ö" }]);
    const columns = ["payload", "state", "channel"].map((name) => ({ name, as: name }));
    expect(await runSql(otherColumnsSelect(probe.good, columns))).toEqual([
      { event_no: 0n, payload: "\\xFF\\x00", state: "ö", channel: "ö" },
    ]);
    const sorted = await runSql(`DESCRIBE ${otherColumnsSortSelect(probe.good, columns)}`);
    expect(sorted.map((row) => row.column_type)).toEqual(["BIGINT", "BLOB", "BLOB", "BLOB"]);
  });

  it("keep one simple type for sorting, and are text where files differ", async () => {
    const lake = tempFolder();
    await writeEvents(runSql, lake, atTen("a.parquet"), { rank: "10", label: "10", at: `make_timestamp(${TEN}000)` });
    await writeEvents(runSql, lake, atTen("b.parquet"), { rank: "9", label: "'9'" });
    await writeEvents(runSql, lake, atTen("c.parquet"), { rank: "NULL" });
    const { probe } = await readLake(runSql, lake);
    const columns = ["rank", "label", "at"].map((name) => ({ name, as: name }));
    const rows = await runSql(`DESCRIBE ${otherColumnsSortSelect(probe.good, columns)}`);
    expect(rows.map((row) => row.column_type)).toEqual(["BIGINT", "INTEGER", "VARCHAR", "TIMESTAMP"]);
    expect(await runSql(otherColumnsSortSelect([], columns))).toEqual([]);
    expect(await runSql(otherColumnsSortSelect(probe.good, columns))).toHaveLength(3);
  });
});

it("says in the manifest what was read and how", async () => {
  const lake = tempFolder();
  await writeEvents(runSql, lake, atTen("a.parquet"), { server_time: `make_timestamp(${TEN}000)`, extra: "1" }, 2);
  await writeEvents(runSql, lake, atTen("b.parquet"), { extra: "1" });
  const { probe, listing } = await readLake(runSql, lake);
  const inputs = manifestInputs(probe.good);
  expect(inputs).toMatchObject([
    { path: atTen("a.parquet"), bytes: probe.good[0]?.bytes, rows: 2 },
    { path: atTen("b.parquet"), rows: 1 },
  ]);
  expect(inputs[0]?.mtime).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{9}Z$/);
  expect(inputNotes(probe.good, listing.oddities)).toEqual({
    zonelessFiles: [{ path: atTen("a.parquet"), columns: ["server_time"] }],
    unknownColumns: ["extra"],
    nullColumns: [],
    oddities: [],
  });
});

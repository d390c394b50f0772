import { describe, expect, it } from "vitest";
import { atTen, openDuckdb, readLake, TEN, tempFolder, writeEvents } from "./support.ts";

const runSql = await openDuckdb();

/** Reads one file whose column holds the SQL values, one a row. */
async function readColumn(column: string, values: readonly string[], settings?: Parameters<typeof readLake>[2]) {
  const lake = tempFolder();
  const list = values.join(", ");
  await writeEvents(runSql, lake, atTen("a.parquet"), { [column]: `([${list}])[i + 1]` }, values.length);
  return readLake(runSql, lake, settings);
}

describe("integers", () => {
  it.each([
    [
      "stored as DOUBLE: whole ones; NaN is null (fault 36)",
      ["1::DOUBLE", "1.5", "'nan'", "'inf'", "1e30", "NULL", "-0.0"],
      [1, null, null, null, null, null, 0],
      [false, true, false, true, true, false, false],
    ],
    ["stored as FLOAT", ["7::FLOAT", "7.25::FLOAT"], [7, null], [false, true]],
    ["stored as DECIMAL: never rounded", ["42.00::DECIMAL(9,2)", "42.50::DECIMAL(9,2)"], [42, null], [false, true]],
    ["stored as UBIGINT", ["5::UBIGINT", "18446744073709551615::UBIGINT"], [5, null], [false, true]],
    ["stored as a small type", ["5::UTINYINT", "255::UTINYINT"], [5, 255], [false, false]],
    [
      "stored as text",
      ["'42'", "' 42 '", "'42.0'", "'-7'", "'+7'"],
      [42, 42, 42, -7, 7],
      [false, false, false, false, false],
    ],
    [
      "stored as text that is none",
      ["'1.5'", "'abc'", "'1e3'", "'0x10'", "'1_000'", "'9223372036854775808'"],
      [null, null, null, null, null, null],
      [true, true, true, true, true, true],
    ],
    ["stored as empty text", ["''", "'  '", "NULL::VARCHAR"], [null, null, null], [false, false, false]],
  ])("%s", async (_, values, read, unread) => {
    const { events } = await readColumn("sequence", values);
    expect(events.map((event) => event.sequence)).toEqual(read);
    expect(events.map((event) => event.unread_sequence)).toEqual(unread);
  });
});

describe("times", () => {
  it.each([
    ["2026-07-29T10:00:00Z", 0],
    ["2026-07-29 10:00:00", 0],
    ["2026-07-29T10:00Z", 0],
    ["2026-07-29 10:00", 0],
    ["2026-07-29T10:00:59.999999999999Z", 59_999],
    ["2026-07-29T10:00:59.9", 59_900],
    ["2026-07-29T18:00:00+08:00", 0],
    ["2026-07-29T18:00:00.5+0800", 500],
    ["2026-07-29 18:00+08", 0],
    ["2026-07-29T04:30:00-05:30", 0],
    [String(TEN), 0],
    [`${TEN}.0`, 0],
    [` ${TEN + 1} `, 1],
  ])("text %s", async (text, afterTen) => {
    const { events } = await readColumn("server_time", [`'${text}'`]);
    expect(events[0]).toMatchObject({ server_ms: TEN + afterTen, unread_server_time: false });
  });

  it.each([
    "2026-07-29",
    "10:00:00",
    "infinity",
    "epoch",
    "2026-02-30T10:00:00Z",
    "2026-07-29T10:00:00 Asia/Shanghai",
    "2026-07-29T10:00:00+99:00",
    "2026-07-29T10:00:60Z",
    "now",
    "1.5",
  ])("text %s cannot be read", async (text) => {
    const { events } = await readColumn("server_time", [`'${text}'`]);
    expect(events[0]).toMatchObject({ server_ms: null, unread_server_time: true });
  });
});

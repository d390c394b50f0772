import { tableFromIPC } from "apache-arrow";
import { expect, test } from "vitest";
import { arrowFile } from "../../src/export/arrow.ts";
import type { ExportColumn, ExportValue } from "../../src/export/columns.ts";
import { csvText } from "../../src/export/csv.ts";
import { ndjsonText } from "../../src/export/ndjson.ts";

const COLUMNS: ExportColumn[] = [
  { name: "date", type: "date" },
  { name: "user_id", type: "text" },
  { name: "sequence", type: "integer" },
  { name: "seen_at", type: "time" },
  { name: "active", type: "boolean" },
];
const ROWS: ExportValue[][] = [
  ["2026-07-29", "9007199254740993", 9_007_199_254_740_993n, 1_785_283_200_001, true],
  ["2026-07-29", 'a "b", c\r\nd', -9_223_372_036_854_775_808n, -1, false],
  ["2026-07-29", "ö🙂\u0000", 9_223_372_036_854_775_807n, 0, null],
  ["2026-07-29", null, null, null, null],
];

async function* batches() {
  yield ROWS.slice(0, 1);
  yield ROWS.slice(1);
}

async function all<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const piece of pieces) list.push(piece);
  return list;
}

test("CSV is that of RFC 4180", async () => {
  expect((await all(csvText(COLUMNS, batches()))).join("")).toBe(
    [
      "date,user_id,sequence,seen_at,active",
      "2026-07-29,9007199254740993,9007199254740993,2026-07-29T00:00:00.001Z,true",
      '2026-07-29,"a ""b"", c\r\nd",-9223372036854775808,1969-12-31T23:59:59.999Z,false',
      "2026-07-29,ö🙂\u0000,9223372036854775807,1970-01-01T00:00:00.000Z,",
      "2026-07-29,,,,",
      "",
    ].join("\r\n"),
  );
});

test("NDJSON keeps ids as text and whole numbers exact", async () => {
  const lines = (await all(ndjsonText(COLUMNS, batches()))).join("").split("\n");
  expect(lines[0]).toBe(
    '{"date":"2026-07-29","user_id":"9007199254740993","sequence":9007199254740993,"seen_at":"2026-07-29T00:00:00.001Z","active":true}',
  );
  expect(JSON.parse(lines[3]!)).toEqual({
    date: "2026-07-29",
    user_id: null,
    sequence: null,
    seen_at: null,
    active: null,
  });
});

test("Arrow has the types of the columns, and every value", async () => {
  const table = tableFromIPC(await all(arrowFile(COLUMNS, batches())));
  expect(table.schema.fields.map(({ type }) => String(type))).toEqual([
    "Date32<DAY>",
    "Utf8",
    "Int64",
    "Timestamp<MILLISECOND, UTC>",
    "Bool",
  ]);
  const values = table.toArray().map((row) => Object.values(row.toJSON()));
  expect(values).toEqual(ROWS.map(([date, ...rest]) => [Date.parse(date as string), ...rest]));
});

test("Arrow files of many rows come in several batches, and of none with their columns", async () => {
  async function* many() {
    for (let i = 0; i < 50; i++)
      yield Array.from({ length: 2_000 }, (_, j) => ["2026-07-29", `u${i}`, BigInt(j), 0, true]);
  }
  const table = tableFromIPC(await all(arrowFile(COLUMNS, many())));
  expect([table.numRows, table.batches.length > 1, table.getChild("user_id")!.get(99_999)]).toEqual([
    100_000,
    true,
    "u49",
  ]);
  const none = tableFromIPC(await all(arrowFile(COLUMNS, (async function* () {})())));
  expect([none.numRows, none.schema.names.length]).toEqual([0, 5]);
});

/** polars and pandas read every format that export writes, with the same rows and the same types. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Workplace, workplace } from "../explain/workplace.ts";
import { python } from "../support/python.ts";

let place: Workplace;
beforeAll(async () => {
  place = await workplace();
}, 120_000);
afterAll(() => place.remove());

const FORMATS = ["csv", "ndjson", "arrow", "parquet"];
const TABLES = ["user_daily", "session_daily", "quarantined_events", "minute_online"];

const READ = `
import json, sys
import pandas, polars
folder, table = sys.argv[1:]
name = lambda ending: f"{folder}/{table}.{ending}"
arrow = polars.read_ipc(name("arrow"))
texts = {column: polars.String for column, kind in arrow.schema.items() if kind == polars.String}
frames = {
    "arrow": arrow,
    "parquet": polars.read_parquet(name("parquet")),
    "csv": polars.read_csv(name("csv"), schema_overrides=texts, infer_schema_length=None, try_parse_dates=True),
    "ndjson": polars.read_ndjson(name("ndjson"), infer_schema_length=None),
}
told = arrow.schema
def typed(column, kind, found):
    if found == kind:
        return polars.col(column)
    if kind == polars.Date:
        return polars.col(column).str.to_date()
    if found == polars.String:
        return polars.col(column).str.to_datetime(time_unit="ms", time_zone="UTC")
    return polars.col(column).cast(kind)
alike = {
    ending: frame.select([typed(column, kind, frame.schema[column]) for column, kind in told.items()]).rows() == arrow.rows()
    for ending, frame in frames.items()
}
feather = pandas.read_feather(name("arrow"))
parquet = pandas.read_parquet(name("parquet"))
print(json.dumps({
    "rows": len(arrow),
    "types": {column: str(kind) for column, kind in told.items()},
    "alike": alike,
    "pandas": [feather.equals(parquet), len(feather)],
    "first": json.loads(arrow.head(1).write_json())[0] if len(arrow) else None,
}))
`;

interface Read {
  readonly rows: number;
  readonly types: Readonly<Record<string, string>>;
  readonly alike: Readonly<Record<string, boolean>>;
  readonly pandas: readonly [equal: boolean, rows: number];
  readonly first: Readonly<Record<string, unknown>>;
}

test.each(TABLES)("%s", async (table) => {
  for (const format of FORMATS) {
    const file = join(place.folder, `${table}.${format}`);
    const args = ["--table", table, "--date", "2024-01-15", "--out", "mart", "--format", format, "--to", file];
    const { code, stderr } = await place.command("export", ...args);
    expect(code, stderr).toBe(0);
  }
  const { rows, types, alike, pandas, first } = python(READ, place.folder, table) as Read;
  expect(rows).toBeGreaterThan(1);
  expect(alike).toEqual(Object.fromEntries(FORMATS.map((format) => [format, true])));
  expect(pandas).toEqual([true, rows]);
  expect(types.date).toBe("Date");
  expect(first.date).toBe("2024-01-15");
  for (const [column, type] of Object.entries(types)) {
    if (/_ms$|^sessions$|^source_row$/.test(column)) expect(type, column).toBe("Int64");
    if (/_at$|_time$|minute_start/.test(column)) expect(type, column).toBe("Datetime(time_unit='ms', time_zone='UTC')");
    if (/_id$/.test(column)) expect(type, column).toBe("String");
  }
});

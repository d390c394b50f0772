import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MART_TABLES } from "../../src/pipeline/tables.ts";
import { commandIn, type Workplace, workplace } from "../explain/workplace.ts";
import { readPublished } from "../support/read-mart.ts";

let place: Workplace;
beforeAll(async () => {
  place = await workplace();
}, 120_000);
afterAll(() => place.remove());

const DAY = ["--date", "2024-01-15", "--out", "mart"];
const inPlace = (file: string) => join(place.folder, file);

/** What the mart has of a table, as rows of plain values: times as ms, whole numbers as numbers. */
async function published(table: string): Promise<object[]> {
  const found = MART_TABLES.find(({ name }) => name === table)!;
  const folders = found.per === "day" ? [{}] : ["connected", "foreground"].map((metric) => ({ metric, version: 1 }));
  const parts = await Promise.all(
    folders.map(async (definition) => {
      const path = Object.entries(definition)
        .map(([name, value]) => `/${name}=${value}`)
        .join("");
      const rows = await readPublished(inPlace("mart"), `${table}${path}/date=2024-01-15`);
      return rows.map((row) => ({ date: "2024-01-15", ...definition, ...row }));
    }),
  );
  return parts.flat();
}

const isTime = (name: string) => /_at$|_time$|minute_start$/.test(name);
/** Rows with times as ms, whatever kind of value a format has for them. */
const plain = (rows: readonly object[]): object[] =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        if (name === "date") return [name, new Date(value).toISOString().slice(0, 10)];
        if (isTime(name) && value !== null) return [name, new Date(value).getTime()];
        return [name, typeof value === "bigint" ? Number(value) : value];
      }),
    ),
  );

describe.each(MART_TABLES.map(({ name }) => name))("export --table %s", (table) => {
  const to = async (format: string) => {
    const file = `${table}.${format}`;
    const { code, stderr } = await place.command("export", "--table", table, ...DAY, "--format", format, "--to", file);
    expect(code, stderr).toBe(0);
    return readFileSync(inPlace(file));
  };

  test("has the mart's rows in their order, in every format", async () => {
    const wanted = await published(table);
    const lines = (await to("ndjson")).toString().split("\n").slice(0, -1);
    expect(plain(lines.map((line) => JSON.parse(line)))).toEqual(wanted);
    const arrow = tableFromIPC(await to("arrow"));
    expect(plain(arrow.toArray().map((row) => row.toJSON()))).toEqual(wanted);
    const parquet = await to("parquet");
    const buffer = parquet.buffer.slice(parquet.byteOffset, parquet.byteOffset + parquet.length) as ArrayBuffer;
    expect(plain(await parquetReadObjects({ file: buffer, compressors }))).toEqual(wanted);
    const [header, ...rows] = (await to("csv")).toString().split("\r\n").slice(0, -1);
    expect(header!.split(",")).toEqual(arrow.schema.names);
    expect(rows).toHaveLength(wanted.length);
  });
});

describe("export", () => {
  test("writes to stdout what it writes to a file", async () => {
    const args = ["export", "--table", "user_daily", ...DAY, "--metric", "foreground", "--format", "csv"];
    const { code, stdout, stderr } = await place.command(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    await place.command(...args, "--to", "rows.csv");
    expect(stdout).toBe(readFileSync(inPlace("rows.csv"), "utf8"));
    expect(stdout).toMatch(/^date,metric,version,user_id,online_ms,.*\r\n2024-01-15,foreground,1,u1,/);
  });

  test("ends when nobody reads on", async () => {
    const pieces: unknown[] = [];
    const args = ["export", "--table", "minute_online", ...DAY, "--format", "ndjson"];
    const { code } = await commandIn(place.folder, args, {
      async pipe(piece) {
        pieces.push(piece);
        return false;
      },
    });
    expect({ code, pieces: pieces.length }).toEqual({ code: 0, pieces: 1 });
  });

  test("takes the committed rows, whatever lies at the published place", async () => {
    const path = "user_daily/metric=foreground/version=1/date=2024-01-15/part-00000.parquet";
    const before = readFileSync(inPlace(`mart/${path}`));
    const args = ["export", "--table", "user_daily", ...DAY, "--format", "ndjson"];
    const { stdout } = await place.command(...args);
    await place.command("rollback", "--date", "2024-01-15", "--metric", "foreground", "--to", "1", "--out", "mart");
    writeFileSync(inPlace("mart/user_daily/stray.parquet"), "no table");
    expect((await place.command(...args)).stdout).toBe(stdout);
    expect(readFileSync(inPlace(`mart/${path}`))).toEqual(before);
  });

  test.each([
    [["--format", "csv"], /--table is missing/, 2],
    [
      ["--table", "user_dayly", "--format", "csv"],
      /--table user_dayly is no table of a mart\ndid you mean user_daily\?/,
      2,
    ],
    [["--table", "user_daily"], /^error: --format is missing/, 2],
    [
      ["--table", "user_daily", "--format", "csv", "--to", "mysql://a:secret@b/c"],
      /^error: --to mysql:\/\/… is no target\n(?!.*secret)/,
      2,
    ],
    [
      ["--table", "user_weekly", "--format", "csv"],
      /user_weekly has one partition for each week\nName it with --week\./,
      2,
    ],
    [
      ["--table", "user_daily", "--format", "xlsx"],
      /--format: must be csv or ndjson or arrow or parquet, not "xlsx"/,
      2,
    ],
    [
      ["--table", "quarantined_events", "--format", "csv", "--metric", "foreground"],
      /does not depend on a definition/,
      2,
    ],
    [
      ["--table", "user_daily", "--format", "csv", "--metric", "active"],
      /has no active of 2024-01-15, but connected@1, foreground@1\n/,
      3,
    ],
    [
      ["--table", "user_daily", "--format", "csv", "--to", "no/such/file"],
      /--to \S+\/no\/such\/file: there is no folder /,
      2,
    ],
    [
      ["--table", "user_daily", "--to", "postgres://a:secret@h:port/d"],
      /^error: --to is no URL of a database\n(?!.*secret)/,
      2,
    ],
    [["--table", "user_daily", "--format", "csv", "--json"], /--json does not go with rows on stdout/, 2],
  ])("refuses %j", async (more, message, wanted) => {
    const { code, stdout, stderr } = await place.command("export", ...DAY, ...(more as string[]));
    expect(stderr).toMatch(message as RegExp);
    expect({ code, stdout }).toEqual({ code: wanted, stdout: "" });
  });

  test("a date that the mart does not have is an input that is missing", async () => {
    const { code, stderr } = await place.command(
      "export",
      "--table",
      "user_daily",
      "--date",
      "2024-01-16",
      "--out",
      "mart",
      "--format",
      "csv",
    );
    expect(stderr).toMatch(/has no day 2024-01-16\nBuild it first: presence-batch rebuild --date 2024-01-16\n/);
    expect(code).toBe(3);
  });
});

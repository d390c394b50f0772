/** What a rebuild publishes, read by a reader that shares no code with the engine. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
} from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { beforeAll, describe, expect, test } from "vitest";
import { build, tempFolder } from "../support/lake-on-disk.ts";
import { type Kind, TABLES } from "./contract.ts";
import { DAY, USERS, writeSmallLake } from "./small-lake.ts";

const DEFINITIONS = ["connected/1", "active/1", "strict/7"];
const out = join(tempFolder("presence-mart-"), "mart");

interface ReadFile {
  readonly metadata: FileMetaData;
  readonly rows: readonly Record<string, unknown>[];
}

async function read(folder: string): Promise<ReadFile> {
  const names = readdirSync(join(out, folder));
  expect(names).toEqual(["part-00000.parquet"]);
  const file: AsyncBuffer = await asyncBufferFromFile(join(out, folder, names[0]!));
  return { metadata: await parquetMetadataAsync(file), rows: await parquetReadObjects({ file, compressors }) };
}

const foldersOf = (name: string): string[] =>
  TABLES[name]!.per === "day"
    ? [`${name}/date=${DAY}`]
    : DEFINITIONS.map((id) => `${name}/metric=${id.replace("/", "/version=")}/date=${DAY}`);

beforeAll(async () => {
  const { lake, metrics } = await writeSmallLake(tempFolder());
  await build(lake, out, { metrics, onBadFile: "quarantine" });
});

test("these tables are published, and nothing beside them", () => {
  expect(readdirSync(out).sort()).toEqual(["_presence", ...Object.keys(TABLES)].sort());
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const published = files.filter((entry) => !entry.parentPath.includes("_presence"));
  expect(published.length).toBe(Object.keys(TABLES).flatMap(foldersOf).length);
});

describe.each(Object.entries(TABLES))("%s", (name, { columns, key }) => {
  test("has the contract's columns in their order and types", async () => {
    for (const folder of foldersOf(name)) {
      const [, ...schema] = (await read(folder)).metadata.schema;
      expect(schema.map((column) => [column.name, kindOf(column)])).toEqual(
        columns.map(([column, kind]) => [column, kind]),
      );
    }
  });

  test("is compressed with ZSTD", async () => {
    for (const folder of foldersOf(name)) {
      const chunks = (await read(folder)).metadata.row_groups.flatMap((group) => group.columns);
      expect(chunks.every(({ meta_data }) => meta_data?.codec === "ZSTD")).toBe(true);
    }
  });

  test("has rows, each key once and in the order of its bytes, and nulls only where they may be", async () => {
    let rows = 0;
    for (const folder of foldersOf(name)) {
      const found = await read(folder);
      rows += found.rows.length;
      const keys = found.rows.map((row) => Buffer.concat(key.map((column) => sortable(row[column]))));
      for (let i = 1; i < keys.length; i++)
        expect(Buffer.compare(keys[i - 1]!, keys[i]!), `${folder} row ${i}`).toBe(-1);
      for (const [column] of columns.filter(([, , isOptional]) => !isOptional)) {
        expect(
          found.rows.filter((row) => row[column] === null || row[column] === undefined),
          column,
        ).toEqual([]);
      }
    }
    expect(rows).toBeGreaterThan(0);
  });
});

test("ids are exact, values are whole and right", async () => {
  const { rows } = await read(`user_daily/metric=connected/version=1/date=${DAY}`);
  expect(rows.map(({ user_id }) => user_id)).toEqual([...USERS.slice(0, 5), "u1", ...USERS.slice(5)]);
  expect(rows[1]).toEqual({
    user_id: "9007199254740993",
    online_ms: 335_000n,
    session_ms: 335_000n + 120_000n,
    sessions: 2n,
    devices: 2n,
    intervals: 2n,
    first_online_at: new Date("2024-01-15T10:00:01Z"),
    last_online_at: new Date("2024-01-15T10:15:06Z"),
  });
});

function kindOf(column: FileMetaData["schema"][number]): Kind | string {
  const { type, logical_type, converted_type } = column;
  const logical = logical_type as { type?: string; isAdjustedToUTC?: boolean; unit?: string } | undefined;
  if (type === "BYTE_ARRAY" && (logical?.type === "STRING" || converted_type === "UTF8")) return "text";
  if (type === "BOOLEAN") return "flag";
  if (type === "INT64" && logical?.type === "TIMESTAMP") {
    return logical.isAdjustedToUTC && logical.unit === "MILLIS" ? "time" : `local or finer: ${JSON.stringify(logical)}`;
  }
  if (type === "INT64" && (logical === undefined || logical.type === "INTEGER")) return "int";
  return `${type} ${JSON.stringify(logical ?? converted_type)}`;
}

/** A value as bytes that compare as the contract orders: nulls first, text by its bytes, numbers and times by size. */
function sortable(value: unknown): Buffer {
  if (value === null || value === undefined) return Buffer.from([0, 0]);
  if (typeof value === "string") return Buffer.concat([Buffer.from([1]), Buffer.from(value), Buffer.from([0])]);
  const bytes = Buffer.alloc(9, 1);
  bytes.writeBigUInt64BE(BigInt(value instanceof Date ? value.getTime() : (value as bigint)), 1);
  return bytes;
}

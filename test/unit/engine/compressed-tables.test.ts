/** Tables that take much of the memory are compressed; the random lakes say that nothing else changes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DuckDbSession } from "../../../src/engine/duckdb/session.ts";

let folder: string;
let session: DuckDbSession;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "presence-test-"));
});
afterEach(async () => {
  await session.close();
  rmSync(folder, { recursive: true });
});

const MB = 1_000_000;

const open = async (tablesLimitBytes: number | null): Promise<void> => {
  session = await DuckDbSession.open({ folder, threads: 1, memoryLimitBytes: 500 * MB, tablesLimitBytes });
};

/** What tables of so many numbers take, 8 bytes each. */
async function megabytesOf(rows: number): Promise<number> {
  const made = await session.fillTable(`create table numbers as select range as n from range(${rows})`);
  expect(made).toBe(rows);
  const [row] = await session.rows(
    "select sum(memory_usage_bytes) as bytes from duckdb_memory() where tag like '%TABLE%'",
  );
  expect(await session.rows("select sum(n)::bigint as sum, count(*) as rows from numbers")).toEqual([
    { sum: BigInt((rows * (rows - 1)) / 2), rows: BigInt(rows) },
  ]);
  return Number(row!.bytes) / MB;
}

describe("a session compresses", () => {
  test("large tables that take more than they may", async () => {
    await open(20 * MB);
    expect(await megabytesOf(3_000_000)).toBeLessThan(5);
  });

  test("none that is within the limit", async () => {
    await open(60 * MB);
    expect(await megabytesOf(3_000_000)).toBeGreaterThan(20);
  });

  test("what many statements have written, too", async () => {
    await open(20 * MB);
    for (const name of ["a", "b", "c"]) {
      await session.fillTable(`create table ${name} as select range as n from range(900000)`);
    }
    expect(await megabytesOf(900_000)).toBeLessThan(12);
  });

  test("no small one, whatever the others take", async () => {
    await open(1 * MB);
    expect(await megabytesOf(1_000_000)).toBeGreaterThan(7);
  });

  test("by a share of the memory, where nothing else is said", async () => {
    await open(null);
    expect(await megabytesOf(26_000_000)).toBeLessThan(40);
  });
});

/** A session that is closed in the midst of a statement: the statement ends, and the process lives on. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DuckDbSession } from "../../../src/engine/duckdb/session.ts";

let folder: string;
let session: DuckDbSession;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "presence-test-"));
  session = await DuckDbSession.open({ folder, threads: 2, memoryLimitBytes: null });
});
afterEach(() => rmSync(folder, { recursive: true }));

const ENDLESS = "select sum(range) as n from range(1000000000000)";

test.each([
  ["a statement", () => session.rows(ENDLESS)],
  ["a statement beside another", () => session.rowsBeside(ENDLESS)],
  ["the making of a table", () => session.fillTable(`create table t as ${ENDLESS}`)],
  ["a first batch", () => session.batches(ENDLESS).next()],
])("stops %s", async (_, start) => {
  const ended = start().then(
    () => "done",
    (error: Error) => error.message,
  );
  await new Promise((resolve) => setTimeout(resolve, 50));
  await session.close();
  expect(await ended).toMatch(/interrupt/i);
});

test("waits for a batch that is on its way, and gives no more", async () => {
  for (let round = 0; round < 20; round++) {
    const other = await DuckDbSession.open({ folder, threads: 2, memoryLimitBytes: null });
    const batches = other.batches("select range as n, repeat('x', 1000) as text from range(1000000)");
    await batches.next();
    const coming = batches.next().then(
      ({ done }) => done === false,
      () => false,
    );
    await other.close();
    await coming;
    expect(await batches.next().catch((error: Error) => error.message)).toSatisfy(
      (last) => last === "the session is closed" || last.done,
    );
  }
  await session.close();
});

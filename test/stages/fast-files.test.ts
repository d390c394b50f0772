/** DuckDB's own variants of files: the rows of their namesakes where rows come as they were written, else an error. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FAST_FILES, OUT_OF_ORDER } from "../../src/pipeline/fast-files.ts";
import { loadSql } from "../../src/pipeline/sql-files.ts";
import { findCases, readsOfCase, type StageCase } from "./cases.ts";
import { createRelation, enterSchema, openCases, type Rows, resultOf, wanted } from "./relations.ts";

/** The relation that each goes through as it comes. */
const IN_ORDER: Readonly<Record<string, string>> = {
  "30_identity/repeating_events.duckdb": "sequenced_events",
  "40_order/order_marks.duckdb": "current_events",
  "60_points/neighbours.duckdb": "signals",
};

/** Without a timing of arrivals nothing is gone through in order, everything is sorted. */
const SORTED = "r13-where-every-definition-compensates";

/** As the engine writes events: a session's one after the other, the last one first. */
const WRITTEN = "session_no desc, epoch desc, sequence desc nulls last, server_ms desc, event_no desc";

const CASES = findCases();

let cases: Awaited<ReturnType<typeof openCases>>;

beforeAll(async () => {
  cases = await openCases();
});
afterAll(() => cases.close());

describe.each(FAST_FILES)("%s", (fast) => {
  const own = CASES.filter(({ file }) => `${file}.duckdb` === fast);
  const source = IN_ORDER[fast]!;

  test.each(own.map((found) => [found.name, found] as const))("%s", async (_, found) => {
    await prepare(found, source);
    expect(await resultOf(cases.session, loadSql(fast))).toEqual(wanted(found.expected));
  });

  test("fails where rows come the other way round", async () => {
    for (const found of own.filter(({ inputs }) => inputs.get(source)!.rows.length > 3)) {
      await prepare(found, source);
      await reorder(source, "session_no, epoch, sequence, server_ms, event_no");
      const expected = found.name === SORTED ? wanted(found.expected) : OUT_OF_ORDER;
      expect(await outcome(fast), found.name).toEqual(expected);
    }
  });

  test("fails or gives the same rows where any two neighbours change places", async () => {
    const outcomes: (Rows | string)[] = [];
    for (const found of own) {
      const rows = found.inputs.get(source)!.rows.length;
      for (let place = 1; place < rows; place++) {
        await prepare(found, source);
        await swap(source, place);
        const result = await outcome(fast);
        if (result !== OUT_OF_ORDER) expect(result, `${found.name}, row ${place}`).toEqual(wanted(found.expected));
        outcomes.push(result);
      }
    }
    expect(outcomes.filter((result) => result === OUT_OF_ORDER).length).toBeGreaterThan(outcomes.length / 3);
  });

  const byTime = source === "sequenced_events";
  test.each([
    ["a session", "1,0,1,0,1 2,0,1,0,2", true],
    ["a session that comes back", "2,0,2,0,2 1,0,1,0,1 2,0,1,0,3", true],
    ["a session, whatever follows", "1,5,9,5,5 2,0,1,0,2", true],
    ["an epoch", "1,0,1,0,1 1,1,1,0,2", true],
    ["an epoch, whatever follows", "1,0,9,5,5 1,1,1,0,2", true],
    ["an epoch that comes back", "1,1,2,0,2 1,0,1,0,1 1,1,1,0,3", true],
    ["a sequence", "1,0,1,0,1 1,0,2,0,2", true],
    ["a repeated sequence", "1,0,1,0,2 1,0,1,0,1", !byTime],
    ["a repeated sequence by its time", "1,0,1,0,2 1,0,1,1,1", true],
    ["a repeated sequence and time by its number", "1,0,1,0,1 1,0,1,0,2", true],
    ["nothing", "2,0,1,0,2 1,2,1,9,5 1,1,3,0,4 1,1,2,5,3 1,0,7,0,1", false],
  ] as const)("%s out of order: %s", async (_, rows, fails) => {
    await enterSchema(cases.session);
    const columns = ["session_no", "epoch", "sequence", "server_ms", "event_no"];
    const table = {
      comment: "",
      columns: columns.map((name) => ({ name, type: name === "session_no" ? "integer" : "bigint" }) as const),
      rows: rows.split(" ").map((row) => row.split(",")),
    };
    await createRelation(cases.session, source, table);
    for (const other of ["day_windows", "timings"]) await createRelation(cases.session, other);
    expect((await outcome(fast)) === OUT_OF_ORDER).toBe(fails);
  });
});

test("order_marks, whose windows stand on one another, has none that might take rows in an order of its own", async () => {
  await prepare(CASES.find(({ file }) => file === "40_order/order_marks")!, "current_events");
  const sql = loadSql("40_order/order_marks.duckdb");
  const [plan] = await cases.session.rows(`explain (format json) ${sql}`);
  const operators = [...String(plan!.explain_value).matchAll(/"name":\s*"(\w+)\s*"/g)].map((match) => match[1]);
  expect(operators.filter((name) => name!.includes("WINDOW"))).toEqual(Array(3).fill("STREAMING_WINDOW"));
});

/** The case's relations, and the one that is gone through in order as it is written. */
async function prepare(found: StageCase, source: string): Promise<void> {
  await enterSchema(cases.session);
  for (const relation of readsOfCase(found)) await createRelation(cases.session, relation, found.inputs.get(relation));
  await reorder(source, WRITTEN);
}

const reorder = (relation: string, order: string): Promise<void> =>
  cases.session.run(`create or replace table ${relation} as select * from ${relation} order by ${order}`);

/** The row at a place from 1 on, and the one after it, the other way round. */
const swap = (relation: string, place: number): Promise<void> =>
  cases.session.run(`create or replace table ${relation} as select * exclude (place)
    from (select *, row_number() over () as place from ${relation})
    order by case place when ${place} then ${place + 1} when ${place + 1} then ${place} else place end`);

/** The file's rows, or what it fails with for want of order. */
async function outcome(fast: string): Promise<Rows | string> {
  try {
    return await resultOf(cases.session, loadSql(fast));
  } catch (error) {
    if (!String(error).includes(OUT_OF_ORDER)) throw error;
    return OUT_OF_ORDER;
  }
}

/** A step whose fast file finds rows out of order is made by the portable file, and so are all that follow. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DayEngine } from "../../src/engine/duckdb/day-engine.ts";
import { fastFile } from "../../src/pipeline/fast-files.ts";
import { StepRunner } from "../../src/pipeline/run-day.ts";
import { loadSql } from "../../src/pipeline/sql-files.ts";
import { type Step, stages } from "../../src/pipeline/stages.ts";
import { DEFAULT_SETTINGS } from "../../src/plan/settings.ts";
import { memoryReading } from "../support/memory-reading.ts";
import { findCases, readsOfCase, type StageCase } from "./cases.ts";
import { createRelation, enterSchema, openCases, resultOf, wanted } from "./relations.ts";

type SqlStep = Step & { readonly kind: "sql" };

const STEPS = stages(DEFAULT_SETTINGS, [])
  .flatMap(({ steps }) => steps)
  .filter((step): step is SqlStep => step.kind === "sql");
const stepOf = (file: string): SqlStep => STEPS.find((step) => step.file === file)!;
const caseOf = (file: string, name: string): StageCase =>
  findCases().find((found) => found.file === file && found.name === name)!;

const REPEATING = "30_identity/repeating_events";
const MARKS = "40_order/order_marks";
const NEIGHBOURS = "60_points/neighbours";
const TURNING = "60_points/turning_points";

const REPEATS = caseOf(REPEATING, "r7-same-session-epoch-sequence");
const MOVES = caseOf(MARKS, "r11-earliest-arrival-from-it-on");
const SIGNALS = caseOf(NEIGHBOURS, "r14-r15-of-the-same-epoch");

let cases: Awaited<ReturnType<typeof openCases>>;
let made: string[];
let runner: StepRunner;
let fresh: (portable?: boolean) => StepRunner;

/** Notes which file each relation is made of. */
class NotingEngine extends DayEngine {
  override create(relation: string, select: string, keep: SqlStep["keep"]): Promise<number> {
    const { file } = STEPS.find((step) => step.relation === relation)!;
    made.push(select === loadSql(file) ? file : select === loadSql(fastFile(file)!) ? fastFile(file)! : "neither");
    return super.create(relation, select, keep);
  }
}

beforeAll(async () => {
  cases = await openCases();
  const lake = await memoryReading(cases.session, [], cases.folder);
  const engine = new NotingEngine(cases.session, { lake, tables: [], eventTypes: [], columnStates: [] });
  fresh = (portable = false) => new StepRunner(engine, portable);
});
afterAll(() => cases.close());

/** The rows of the cases, as they are written, or the other way round. */
async function given(found: readonly StageCase[], direction: "desc" | "asc"): Promise<void> {
  await enterSchema(cases.session);
  for (const each of found) {
    for (const relation of readsOfCase(each)) {
      const rows = each.inputs.get(relation);
      await createRelation(cases.session, relation, rows);
      if (rows === undefined) continue;
      const order = ["session_no", "epoch", "sequence", "server_ms", "event_no"].map(
        (column) => `${column} ${direction}`,
      );
      await cases.session.run(`create or replace table ${relation} as select * from ${relation} order by ${order}`);
    }
  }
  made = [];
  runner = fresh();
}

const rowsOf = (relation: string) => resultOf(cases.session, `select * from ${relation}`);

describe("a table", () => {
  test.each([
    [REPEATING, REPEATS],
    [MARKS, MOVES],
  ])("%s", async (file, found) => {
    await given([found], "desc");
    await runner.run(stepOf(file));
    expect(made).toEqual([`${file}.duckdb`]);
    expect(await rowsOf(stepOf(file).relation)).toEqual(wanted(found.expected));

    await given([found], "asc");
    await runner.run(stepOf(file));
    expect(made).toEqual([`${file}.duckdb`, file]);
    expect(await rowsOf(stepOf(file).relation)).toEqual(wanted(found.expected));
  });
});

describe("a view", () => {
  /** Each of the case's events begins or ends an epoch, or sets another state. */
  const TURNS = ["1", "2", "3", "4", "5", "6", "7"];

  async function turningPoints(): Promise<(string | null)[]> {
    for (const relation of ["point_bounds", "state_events", "kept_whole_sessions"])
      await createRelation(cases.session, relation);
    await runner.run(stepOf(NEIGHBOURS));
    await runner.run(stepOf(TURNING));
    const { rows } = await resultOf(cases.session, "select event_no from turning_points");
    return rows.map(([eventNo]) => eventNo!);
  }

  test("fails when it is read, and is made anew for its reader", async () => {
    await given([SIGNALS], "desc");
    expect(await turningPoints()).toEqual(TURNS);
    const expected = await rowsOf("turning_points");
    expect(made).toEqual([`${NEIGHBOURS}.duckdb`, TURNING]);

    await given([SIGNALS], "asc");
    expect(await turningPoints()).toEqual(TURNS);
    expect(await rowsOf("turning_points")).toEqual(expected);
    expect(await rowsOf("neighbours")).toEqual(wanted(SIGNALS.expected));
    expect(made).toEqual([`${NEIGHBOURS}.duckdb`, TURNING, NEIGHBOURS, TURNING]);
  });
});

test("once rows were out of order, nothing relies on their order any more", async () => {
  await given([REPEATS, MOVES], "asc");
  await runner.run(stepOf(REPEATING));
  await runner.run(stepOf(MARKS));
  expect(made).toEqual([`${REPEATING}.duckdb`, REPEATING, MARKS]);
  expect(await rowsOf("order_marks")).toEqual(wanted(MOVES.expected));
});

test("any other failure stays one", async () => {
  await given([], "desc");
  await expect(runner.run(stepOf(REPEATING))).rejects.toThrow(/sequenced_events/);
  expect(made).toEqual([`${REPEATING}.duckdb`]);
});

test("a runner of portable files does not try", async () => {
  await given([REPEATS], "desc");
  runner = fresh(true);
  await runner.run(stepOf(REPEATING));
  expect(made).toEqual([REPEATING]);
  expect(await rowsOf("repeating_events")).toEqual(wanted(REPEATS.expected));
});

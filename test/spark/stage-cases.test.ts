/** The files below sql/ as they are, on Spark: the same cases that DuckDB is held to, in one session. */
import { beforeAll, describe, expect, test } from "vitest";
import type { InputTable, Value } from "../../src/engine/engine.ts";
import { sparkJob, tableSelect } from "../../src/engine/spark/job.ts";
import { type JobResult, parseResult } from "../../src/engine/spark/result.ts";
import { loadSql } from "../../src/pipeline/sql-files.ts";
import { sparkPlace } from "../../src/usecases/spark-place.ts";
import { findCases, type StageCase } from "../stages/cases.ts";
import { tempFolder } from "../support/lake-on-disk.ts";
import { relationsOf } from "./case-relations.ts";
import { runJobs } from "./run-jobs.ts";

const CASES = findCases();
let results: JobResult[];

beforeAll(async () => {
  const place = sparkPlace(tempFolder("presence-spark-"), {});
  const jobs = CASES.map((found, index) => ({ job: jobOf(found, index), place, day: `case-${index}` }));
  results = (await runJobs(jobs)).map((text, index) => parseResult(text, `case-${index}`));
});

describe("every stage case", () => {
  test.each(CASES.map((found, index) => ({ title: `${found.file} ${found.name}`, found, index })))(
    "$title",
    ({ found, index }) => {
      const names = found.expected.columns.map(({ name }) => name);
      const rows = results[index]!.answers.rows!.map((row) => names.map((name) => row[name] as string | null));
      expect(inOrder(rows)).toEqual(inOrder(found.expected.rows));
      expect(Object.keys(results[index]!.answers.columns![0] ?? {})).toEqual(names);
    },
  );
});

function jobOf(found: StageCase, index: number) {
  const sql = loadSql(found.file);
  const texts = found.expected.columns.map(({ name }) => `cast(${name} as string) as ${name}`);
  return sparkJob({
    job: `case-${index}`,
    tables: relationsOf(found, sql).map((table) => tableSelect(typed(table))),
    scans: [],
    gate: null,
    steps: [{ stage: "case", relation: "under_test", sql, keep: "view" }],
    answers: [
      { name: "rows", sql: `select ${texts.join(", ")} from under_test` },
      { name: "columns", sql: "select u.* from (select 1 as one) o left join under_test u on false" },
    ],
    outputs: [],
  });
}

/** Cases hold text; a number of a BIGINT may be larger than JavaScript's are exact. */
function typed(table: InputTable): InputTable {
  const value = (text: Value, index: number): Value => {
    const type = table.columns[index]![1];
    return type === "boolean" && text !== null ? text === "true" : text;
  };
  return { ...table, rows: table.rows.map((row) => row.map(value)) };
}

const inOrder = (rows: readonly (readonly (string | null)[])[]) =>
  [...rows].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

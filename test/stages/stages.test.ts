/** Every file below sql/ on rows that its cases give: rows in, rows expected, NULLs, types and the order of columns too. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadSql } from "../../src/pipeline/sql-files.ts";
import { findCases, readsOfCase, type StageCase, sqlFiles } from "./cases.ts";
import { createRelation, enterSchema, openCases, type Rows, resultOf, wanted } from "./relations.ts";

const CASES = findCases();
const RULES = Array.from({ length: 22 }, (_, i) => `R${i + 1}`);
const CHECKS = Array.from({ length: 8 }, (_, i) => `C${i + 1}`);

let cases: Awaited<ReturnType<typeof openCases>>;

beforeAll(async () => {
  cases = await openCases();
});
afterAll(() => cases.close());

describe.each(sqlFiles())("%s", (file) => {
  const own = CASES.filter((found) => found.file === file);

  test("has a case", () => {
    expect(own.length, `make a folder test/stages/${file}/<rule>-<what it shows>/`).toBeGreaterThan(0);
  });

  for (const found of own) {
    test(found.name, async () => {
      expect(await run(found)).toEqual(wanted(found.expected));
    });
  }
});

test("every rule and every check is shown by a case", () => {
  const shown = new Set(CASES.flatMap(({ rules }) => rules));
  expect([...RULES, ...CHECKS].filter((rule) => !shown.has(rule))).toEqual([]);
  expect([...shown].filter((rule) => ![...RULES, ...CHECKS].includes(rule))).toEqual([]);
  expect(CASES.filter(({ rules }) => rules.length === 0).map(({ file, name }) => `${file}/${name}`)).toEqual([]);
});

test("every case belongs to a file and says in words what it shows", () => {
  expect(CASES.filter(({ file }) => !sqlFiles().includes(file)).map(({ file }) => file)).toEqual([]);
  expect(CASES.filter(({ expected }) => expected.comment === "").map(({ file, name }) => `${file}/${name}`)).toEqual(
    [],
  );
});

test("every check both fires and stays silent", () => {
  for (const check of CHECKS) {
    const own = CASES.filter(({ rules }) => rules.includes(check));
    expect(new Set(own.map(({ expected }) => expected.rows.length > 0)), check).toEqual(new Set([true, false]));
  }
});

/** The file's SELECT over the case's relations. */
async function run(found: StageCase): Promise<Rows> {
  await enterSchema(cases.session);
  for (const relation of readsOfCase(found)) await createRelation(cases.session, relation, found.inputs.get(relation));
  return resultOf(cases.session, loadSql(found.file));
}

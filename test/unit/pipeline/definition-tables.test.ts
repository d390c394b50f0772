import { expect, test } from "vitest";
import { findBuiltin } from "../../../src/definitions/builtin.ts";
import type { Definition } from "../../../src/definitions/definition.ts";
import { definitionTables } from "../../../src/pipeline/definition-tables.ts";

const builtin = (name: string, change: Partial<Definition> = {}): Definition => ({ ...findBuiltin(name)!, ...change });

const timings = (...definitions: Definition[]) =>
  definitionTables(definitions).find(({ name }) => name === "timings")!.rows;

const MINUTE = 60_000;

test("a timing is as idle as the shortest `idle` of its definitions that use `active`", () => {
  const slow = builtin("active", { name: "slow", idleMs: 10 * MINUTE });
  const quick = builtin("active", { name: "quick", idleMs: 2 * MINUTE });
  expect(timings(builtin("connected"), slow, quick)).toEqual([[0, false, 90_000, 10 * MINUTE, 2 * MINUTE]]);
});

test("each timing has its own idle, and none where no definition of it uses `active`", () => {
  const late = builtin("connected", { name: "late", lateUpload: "compensate" });
  expect(timings(builtin("active"), late)).toEqual([
    [0, false, 90_000, 10 * MINUTE, 5 * MINUTE],
    [1, true, 90_000, 10 * MINUTE, null],
  ]);
});

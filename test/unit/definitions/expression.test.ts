import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Expression } from "../../../src/definitions/definition.ts";
import {
  checkNames,
  ExpressionError,
  evaluate,
  parseExpression,
  printExpression,
  usedStates,
} from "../../../src/definitions/expression.ts";
import { onlineMasks } from "../../../src/definitions/truth-table.ts";

const NAMES = ["connected", "foreground", "active", "busy", "nothing", "order_open"];

const { tree } = fc.letrec<{ tree: Expression }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6 },
    fc.record({ op: fc.constant("state" as const), name: fc.constantFrom(...NAMES) }),
    fc.record({ op: fc.constant("not" as const), arg: tie("tree") }),
    fc.record({ op: fc.constantFrom("and" as const, "or" as const), left: tie("tree"), right: tie("tree") }),
  ),
}));

describe("an expression", () => {
  test("binds not, then and, then or, and chains to the left", () => {
    const forms = ["not a and b or c", "((not a) and b) or c", "  not a\n and(b)or c "].map(parseExpression);
    expect(forms[1]).toEqual(forms[0]);
    expect(forms[2]).toEqual(forms[0]);
    expect(parseExpression("a or b or c")).toEqual(parseExpression("(a or b) or c"));
    expect(parseExpression("a or b or c")).not.toEqual(parseExpression("a or (b or c)"));
    expect(parseExpression("not not a")).toEqual({ op: "not", arg: { op: "not", arg: { op: "state", name: "a" } } });
  });

  test("prints as the shortest text of the same tree", () => {
    expect(printExpression(parseExpression("((a) and (not (b or c)))"))).toBe("a and not (b or c)");
    fc.assert(
      fc.property(tree, (tree) => {
        expect(parseExpression(printExpression(tree))).toEqual(tree);
      }),
    );
  });

  test("holds where its states say so", () => {
    const holds = (text: string, ...on: string[]) => evaluate(parseExpression(text), new Set(on));
    expect(holds("foreground and not busy", "foreground")).toBe(true);
    expect(holds("foreground and not busy", "foreground", "busy")).toBe(false);
    expect(holds("a or b and c", "a")).toBe(true);
    expect(holds("(a or b) and c", "a")).toBe(false);
  });

  test("names its states once each", () => {
    expect([...usedStates(parseExpression("b and not (a or b)"))]).toEqual(["b", "a"]);
  });
});

describe("errors", () => {
  test.each([
    ["", "a state is missing before the end", 1],
    ["foreground and", "a state is missing before the end", 15],
    ["and foreground", 'a state is missing before "and"', 1],
    ["foreground busy", 'expected and or or before "busy"', 12],
    ["(foreground", "expected and, or or ) before the end", 12],
    ["foreground)", "a ) without its (", 11],
    ["()", 'a state is missing before ")"', 2],
    ["foreground && busy", 'unexpected "&"', 12],
    ["foreground AND busy", "AND is no name", 12],
    ["a and 1b", 'unexpected "1"', 7],
    ["a and 😀", 'unexpected "😀"', 7],
    [`${"(".repeat(101)}a`, "nested more than 100 deep", 101],
    [`a${" ".repeat(2_000)}`, "longer than 2000 characters", 2_001],
  ])("%j", (text, message, column) => {
    const parse = () => parseExpression(text);
    expect(parse).toThrow(ExpressionError);
    expect(parse).toThrow(`${message} at column ${column}`);
  });

  test("unknown names come with the nearest known one", () => {
    try {
      checkNames("foreground and (wachting)", ["foreground", "watching"]);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ message: "unknown state wachting at column 17", hint: "did you mean watching?" });
    }
  });
});

describe("the truth table", () => {
  const masks = (online: string, ...own: string[]) =>
    onlineMasks({
      expression: parseExpression(online),
      states: new Map(own.map((name) => [name, { kind: "types", on: ["X"], off: [] }])),
    });

  test("has a bit for foreground, active and each own state, and never active alone", () => {
    expect(masks("connected")).toEqual([0, 1, 3]);
    expect(masks("not connected")).toEqual([]);
    expect(masks("foreground")).toEqual([1, 3]);
    expect(masks("active")).toEqual([3]);
    expect(masks("not foreground")).toEqual([0]);
    expect(masks("watching and foreground", "watching")).toEqual([5, 7]);
    expect(masks("b or active", "a", "b")).toEqual([3, 7, 8, 9, 11, 12, 13, 15]);
  });

  test("grows to ten own states", () => {
    const own = Array.from({ length: 10 }, (_, i) => `s${i}`);
    expect(masks("connected", ...own)).toHaveLength(3 * 1_024);
  });
});

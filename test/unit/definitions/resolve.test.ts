import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { builtinDefinitions, findBuiltin } from "../../../src/definitions/builtin.ts";
import { definitionId, resolveDefinitions } from "../../../src/definitions/resolve.ts";
import { onlineMasks } from "../../../src/definitions/truth-table.ts";
import { DEFAULT_SETTINGS } from "../../../src/plan/settings.ts";
import { usageFault } from "../plan/faults.ts";

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "definitions-"));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const resolve = (...metrics: string[]) => resolveDefinitions(metrics, { settings: DEFAULT_SETTINGS, cwd });
const ids = (...metrics: string[]) => resolve(...metrics).map(definitionId);
const fault = (...metrics: string[]) => usageFault(() => resolve(...metrics)).text;

function file(name: string, lines: Record<string, string> = {}): string {
  const keys = {
    name: "own",
    version: "1",
    online: "connected",
    gap: "{ max: 90s, credit: 30s }",
    tail: "30s",
    ...lines,
  };
  const text = Object.entries(keys).map(([key, value]) => `${key}: ${value}\n`);
  writeFileSync(join(cwd, name), text.join(""));
  return name;
}

test("the built-in definitions are those of the table", () => {
  const s = 1_000;
  const rows = builtinDefinitions().map((d) => [
    definitionId(d),
    d.online,
    d.gapMaxMs / s,
    d.gapCreditMs / s,
    d.tailMs / s,
    d.idleMs === null ? null : d.idleMs / s,
    d.maxSessionMs === null ? null : d.maxSessionMs / s,
    d.devices,
    onlineMasks(d).join(" "),
  ]);
  expect(rows).toEqual([
    ["active@1", "active", 90, 30, 30, 300, 86_400, "all", "3"],
    ["capped@1", "connected", 60, 60, 0, null, null, "all", "0 1 3"],
    ["connected@1", "connected", 90, 30, 30, null, null, "all", "0 1 3"],
    ["foreground@1", "foreground", 90, 30, 30, null, 86_400, "all", "1 3"],
    ["last-seen-60s@1", "connected", 60, 60, 60, null, null, "latest", "0 1 3"],
    ["live-watch@1", "watching and foreground", 90, 30, 30, null, 86_400, "all", "5 7"],
    ["presence-90s@1", "connected", 90, 90, 90, null, null, "all", "0 1 3"],
    ["ttl-300s@1", "connected", 300, 300, 300, null, null, "all", "0 1 3"],
  ]);
  for (const definition of builtinDefinitions()) {
    expect(definition).toMatchObject({ foregroundAtStart: true, lateUpload: "ignore", maxShiftMs: 600_000 });
    expect(definition.description).not.toBe("");
  }
  expect([...findBuiltin("live-watch")!.states]).toEqual([
    ["watching", { kind: "types", on: ["LIVE_ENTER"], off: ["LIVE_LEAVE"] }],
  ]);
});

// A mart that was built with a definition refuses another meaning of its name: these may only grow.
test("the built-in definitions never change", () => {
  expect(
    Object.fromEntries(builtinDefinitions().map((d) => [definitionId(d), d.hash.slice(0, 12)])),
  ).toMatchInlineSnapshot(`
    {
      "active@1": "d6032b8c4b21",
      "capped@1": "34815b526dfd",
      "connected@1": "d435798f48e5",
      "foreground@1": "19ff4de063ca",
      "last-seen-60s@1": "56556276711b",
      "live-watch@1": "b12081eab738",
      "presence-90s@1": "0b176590dc41",
      "ttl-300s@1": "271fd75de237",
    }
  `);
});

describe("metrics", () => {
  test("are names, versions, files and comma lists, in the order given", () => {
    file("own.yaml", { version: "3" });
    expect(ids("live-watch, foreground@1", "own.yaml", "./own.yaml", "connected,foreground")).toEqual([
      "live-watch@1",
      "foreground@1",
      "own@3",
      "connected@1",
    ]);
  });

  test("of one name in two versions are two", () => {
    expect(ids(file("a.yaml"), file("b.yml", { version: "2", tail: "0" }))).toEqual(["own@1", "own@2"]);
  });

  test("given twice with one meaning are one", () => {
    expect(ids(file("a.yaml"), file("b.yaml", { description: "same" }))).toEqual(["own@1"]);
    expect(ids("connected", file("c.yaml", { name: "connected" }))).toEqual(["connected@1"]);
  });

  test.each([
    ["foregruond", 'unknown metric "foregruond" | did you mean foreground@1? Known: active@1, capped@1'],
    ["foreground@2", 'unknown metric "foreground@2" | did you mean foreground@1?'],
    ["foreground@01", "unknown metric"],
    ["foreground@", "did you mean foreground@1?"],
    ["@1", "unknown metric"],
    ["everything-else", 'unknown metric "everything-else" | Known: active@1'],
    ["foreground,,active", "a metric is empty"],
    ["", "a metric is empty"],
    ["none.yaml", "cannot read the definition none.yaml: no such file"],
    ["./", "cannot read the definition ./: it is a folder"],
  ])("%j is refused", (metric, text) => expect(fault(metric)).toContain(text));

  test("of one name and version must be one rule", () => {
    expect(fault(file("a.yaml"), file("b.yaml", { tail: "0" }))).toBe(
      "a.yaml and b.yaml both are own@1, but not the same rule | give the changed rule another name or a higher version",
    );
  });

  test("may not pass for a built-in", () => {
    expect(fault(file("a.yaml", { name: "foreground" }))).toContain(
      "a.yaml is not the built-in foreground@1 that it says it is",
    );
  });

  test("of a file that is wrong say where", () => {
    expect(fault(file("a.yaml", { tail: "soon" }))).toContain("a.yaml:5: tail: ");
  });

  test("must fit the mart", () => {
    const settings = { ...DEFAULT_SETTINGS, lookaheadMs: 60_000 };
    const { text } = usageFault(() => resolveDefinitions(["connected"], { settings, cwd }));
    expect(text).toContain("connected@1: gap.max: 90s is more than the lake's lookahead (60s)");
  });
});

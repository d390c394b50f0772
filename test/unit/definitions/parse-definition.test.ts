import { describe, expect, test } from "vitest";
import { checkBounds } from "../../../src/definitions/bounds.ts";
import { findBuiltin } from "../../../src/definitions/builtin.ts";
import { parseDefinition } from "../../../src/definitions/parse-definition.ts";
import { DEFAULT_SETTINGS, type LakeSettings } from "../../../src/plan/settings.ts";
import { usageFault } from "../plan/faults.ts";

const LEAST = "name: own\nversion: 2\nonline: foreground\ngap: { max: 90s, credit: 30s }\ntail: 30s\n";
const SETTINGS: LakeSettings = { ...DEFAULT_SETTINGS, eventTypes: ["ORDER_DONE", "ORDER_TAKEN"] };

const parse = (text: string, settings = SETTINGS) => parseDefinition(text, "own.yaml", { settings });
const fault = (text: string, settings = SETTINGS) => usageFault(() => parse(text, settings));
/** LEAST with one key's line replaced, or lines added. */
const edit = (key: string, line: string) => LEAST.replace(new RegExp(`^${key}:.*\n`, "m"), line && `${line}\n`);
const add = (lines: string) => `${LEAST}${lines}\n`;

describe("a definition's file", () => {
  test("needs name, version, online, gap and tail only", () => {
    expect(parse(LEAST)).toEqual({
      name: "own",
      version: 2,
      description: "",
      online: "foreground",
      expression: { op: "state", name: "foreground" },
      gapMaxMs: 90_000,
      gapCreditMs: 30_000,
      tailMs: 30_000,
      idleMs: null,
      foregroundAtStart: true,
      devices: "all",
      lateUpload: "ignore",
      maxShiftMs: 600_000,
      maxSessionMs: null,
      states: new Map(),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test("may set everything", () => {
    const text = [
      "name: delivering",
      "version: 1",
      'description: "On the road. "',
      "online: (riding  or taken) and",
      "  not active",
      "gap: { max: 5m, credit: 0 }",
      "tail: 0",
      "idle: 1h30m",
      "foregroundAtStart: false",
      "devices: latest",
      "lateUpload: compensate",
      "maxShift: 30m",
      "maxSession: 12h",
      "states:",
      "  taken: { on: [ORDER_TAKEN, LIVE_ENTER], off: [ORDER_DONE] }",
      "  riding: { column: activity, equals: [pickup, delivering] }",
    ].join("\n");
    expect(parse(text)).toMatchObject({
      description: "On the road.",
      online: "(riding or taken) and not active",
      gapMaxMs: 300_000,
      gapCreditMs: 0,
      tailMs: 0,
      idleMs: 5_400_000,
      foregroundAtStart: false,
      devices: "latest",
      lateUpload: "compensate",
      maxShiftMs: 1_800_000,
      maxSessionMs: 43_200_000,
    });
    expect([...parse(text).states]).toEqual([
      ["riding", { kind: "column", column: "activity", equals: ["delivering", "pickup"] }],
      ["taken", { kind: "types", on: ["LIVE_ENTER", "ORDER_TAKEN"], off: ["ORDER_DONE"] }],
    ]);
  });
});

describe("its hash", () => {
  const hash = (text: string) => parse(text).hash;
  const states = "states:\n  a: { on: [LIVE_ENTER], off: [LIVE_LEAVE] }";

  test.each([
    ["name", edit("name", "name: other")],
    ["version", edit("version", "version: 3")],
    ["description", add("description: words")],
    ["parentheses", edit("online", "online: (foreground)")],
    ["a duration's spelling", edit("tail", "tail: 30000ms")],
    ["what is the default", add("maxSession: null\ndevices: all")],
    ["an idle that is not used", add("idle: 5m")],
    ["a state that is not used", add(states)],
    ["a shift that never happens", add("maxShift: 20m")],
  ])("does not change with %s", (_, text) => expect(hash(text)).toBe(hash(LEAST)));

  const variants: [string, string][] = [
    ["online", edit("online", "online: connected")],
    ["gap.max", edit("gap", "gap: { max: 91s, credit: 30s }")],
    ["gap.credit", edit("gap", "gap: { max: 90s, credit: 31s }")],
    ["tail", edit("tail", "tail: 31s")],
    ["idle", `${edit("online", "online: active")}idle: 5m\n`],
    ["idle again", `${edit("online", "online: active")}idle: 6m\n`],
    ["foregroundAtStart", add("foregroundAtStart: false")],
    ["devices", add("devices: latest")],
    ["lateUpload", add("lateUpload: compensate")],
    ["maxShift", add("lateUpload: compensate\nmaxShift: 20m")],
    ["maxSession", add("maxSession: 24h")],
    ["a used state", `${edit("online", "online: a")}${states}\n`],
    ["its types", `${edit("online", "online: a")}${states.replace("LIVE_LEAVE", "LOGOUT")}\n`],
    ["its column", `${edit("online", "online: a")}states: { a: { column: x, equals: [y] } }\n`],
    ["its values", `${edit("online", "online: a")}states: { a: { column: x, equals: [z] } }\n`],
  ];
  test("changes with everything that changes numbers", () => {
    const hashes = [LEAST, ...variants.map(([, text]) => text)].map(hash);
    expect(new Set(hashes).size).toBe(variants.length + 1);
  });
});

describe("bounds follow the lake's settings", () => {
  test("of a file", () => {
    const wide = { ...SETTINGS, lookaheadMs: 7_200_000, lookbackMs: 172_800_000 };
    expect(parse(`${edit("gap", "gap: { max: 2h, credit: 0 }")}maxSession: 48h\n`, wide).gapMaxMs).toBe(7_200_000);
    const narrow = { ...SETTINGS, lookbackMs: 60_000 };
    expect(fault(LEAST, narrow).text).toContain("own.yaml:4: gap.max: 90s is more than the lake's lookback (60s)");
  });

  test("of a built-in definition", () => {
    const foreground = findBuiltin("foreground")!;
    expect(() => checkBounds(foreground, DEFAULT_SETTINGS)).not.toThrow();
    const short = { ...DEFAULT_SETTINGS, lookbackMs: 43_200_000 };
    expect(usageFault(() => checkBounds(foreground, short)).text).toBe(
      "foreground@1: maxSession: 24h is more than the lake's lookback (12h) | lower it, or give the mart a larger lookback",
    );
  });
});

import { describe, expect, test } from "vitest";
import { parseDefinition } from "../../../src/definitions/parse-definition.ts";
import { DEFAULT_SETTINGS, type LakeSettings } from "../../../src/plan/settings.ts";
import { usageFault } from "../plan/faults.ts";

const LEAST = "name: own\nversion: 2\nonline: foreground\ngap: { max: 90s, credit: 30s }\ntail: 30s\n";
const SETTINGS: LakeSettings = { ...DEFAULT_SETTINGS, eventTypes: ["ORDER_DONE", "ORDER_TAKEN"] };

const fault = (text: string) => usageFault(() => parseDefinition(text, "own.yaml", { settings: SETTINGS }));
/** LEAST with one key's line replaced, or lines added. */
const edit = (key: string, line: string) => LEAST.replace(new RegExp(`^${key}:.*\n`, "m"), line && `${line}\n`);
const add = (lines: string) => `${LEAST}${lines}\n`;

describe("errors name file, line and key", () => {
  const state = (name: string, rule = "{ on: [LIVE_ENTER], off: [LIVE_LEAVE] }") => add(`states:\n  ${name}: ${rule}`);

  test.each<[what: string, text: string, message: string]>([
    ["an unknown key", add("tial: 3s"), "own.yaml:6: tial: unknown key | did you mean tail?"],
    ["an unknown key in gap", edit("gap", "gap: { max: 1s, credit: 1s, min: 1s }"), "own.yaml:4: gap.min: unknown key"],
    ["an unknown key in a state", state("a", "{ on: [LIVE_ENTER], of: [LIVE_LEAVE] }"), "own.yaml:7: states.a.of:"],
    ["a missing key", edit("tail", ""), "own.yaml:1: tail: is missing: give a duration such as"],
    [
      "a misspelt key before the missing one",
      LEAST.replace("tail:", "tial:"),
      "own.yaml:5: tial: unknown key (1 more: line 1 tail: is missing: give a duration such as 500ms, 90s, 5m, 24h, 1h30m or 0) | did you mean tail?",
    ],
    ["a key that is a list", add("? [a]\n: 1"), "own.yaml:6: a key must be a plain text"],
    ["a key of two lines", add('"a\\nb": 1'), 'own.yaml:6: "a\\nb": unknown key'],
    ["a missing key in gap", edit("gap", "gap: { max: 90s }"), "own.yaml:4: gap.credit: is missing"],
    ["an empty file", "", "own.yaml:1: name: is missing"],
    ["a list", "- name: own", "own.yaml:1: the file must hold keys and values"],
    ["a wrong type", add("foregroundAtStart: 1"), "own.yaml:6: foregroundAtStart: must be true or false, not 1"],
    ["a list for a word", add("devices: [all]"), "own.yaml:6: devices: must be all or latest, not a list"],
    ["a wrong word", add("lateUpload: fix"), 'own.yaml:6: lateUpload: must be ignore or compensate, not "fix"'],
    ["an empty value", edit("tail", "tail:"), "own.yaml:5: tail: must be a duration such as"],
    ["no duration", edit("tail", "tail: 30"), 'own.yaml:5: tail: "30" is not a duration'],
    ["no duration, what to do", edit("tail", "tail: 30"), "write 30s or 30ms"],
    ["a bad name", edit("name", "name: Own"), "own.yaml:1: name: must be a name of a–z, 0–9 and -"],
    ["a bad version", edit("version", "version: 0"), "own.yaml:2: version: must be a whole number from 1, not 0"],
    ["half a version", edit("version", "version: 1.5"), "own.yaml:2: version: must be a whole number from 1, not 1.5"],
    ["a text version", edit("version", 'version: "1"'), 'own.yaml:2: version: must be a whole number from 1, not "1"'],
    [
      "an unknown state",
      edit("online", "online: foreground and bussy"),
      "own.yaml:3: online: unknown state bussy at column 16",
    ],
    [
      "a wrong expression",
      edit("online", "online: foreground &"),
      'own.yaml:3: online: unexpected "&" at column 12 | write and',
    ],
    [
      "never true",
      `${edit("online", "online: busy and not busy")}states: { busy: { column: a, equals: [b] } }`,
      "own.yaml:3: online: can never be true",
    ],
    [
      "idle missing",
      edit("online", "online: active"),
      "own.yaml:3: idle: is missing: online uses active | write idle: 5m",
    ],
    ["a core state", state("active"), "own.yaml:7: states.active: is a state that every definition has"],
    ["an operator", state("not"), "own.yaml:7: states.not: is an operator of online"],
    ["a bad state name", state("Busy"), "own.yaml:7: states.Busy: must be a name of a–z, 0–9 and _"],
    ["a prototype", state("__proto__"), "own.yaml:7: states.__proto__: is no name"],
    [
      "on and off",
      state("a", "{ on: [LIVE_ENTER], off: [LIVE_ENTER] }"),
      "own.yaml:7: states.a.off[0]: LIVE_ENTER is both on and off",
    ],
    [
      "SERVER_TIMEOUT",
      state("a", "{ on: [LIVE_ENTER], off: [SERVER_TIMEOUT] }"),
      "own.yaml:7: states.a.off[0]: SERVER_TIMEOUT is no evidence",
    ],
    [
      "an unknown type",
      state("a", "{ on: [ORDER_TOKEN], off: [] }"),
      'own.yaml:7: states.a.on[0]: unknown event type "ORDER_TOKEN" | did you mean ORDER_TAKEN?',
    ],
    ["an undeclared type", state("a", "{ on: [XYZ], off: [] }"), "declare it in the lake setting eventTypes"],
    ["neither types nor column", state("a", "{}"), "own.yaml:7: states.a: has neither types nor a column"],
    ["types and column", state("a", "{ on: [LOGOUT], column: x }"), "own.yaml:7: states.a: has types and a column"],
    ["off missing", state("a", "{ on: [LOGOUT] }"), "own.yaml:7: states.a.off: is missing | write off: []"],
    ["equals missing", state("a", "{ column: x }"), "own.yaml:7: states.a.equals: is missing"],
    ["never on", state("a", "{ on: [], off: [LOGOUT] }"), "own.yaml:7: states.a.on: is empty"],
    [
      "a value that is no text",
      state("a", "{ column: x, equals: [1] }"),
      "own.yaml:7: states.a.equals[0]: must be a text (in quotes",
    ],
    [
      "too many states",
      add(`states:\n${Array.from({ length: 11 }, (_, i) => `  s${i}: { on: [LOGOUT], off: [] }\n`).join("")}`),
      "own.yaml:6: states: 11 states are too many (at most 10)",
    ],
    [
      "credit above max",
      edit("gap", "gap:\n  max: 30s\n  credit: 31s"),
      "own.yaml:6: gap.credit: 31s is more than gap.max (30s)",
    ],
    [
      "gap above lookahead",
      edit("gap", "gap: { max: 2h, credit: 0 }"),
      "own.yaml:4: gap.max: 2h is more than the lake's lookahead (1h) | lower it, or give the mart a larger lookahead",
    ],
    ["shift above lookahead", add("maxShift: 2h"), "own.yaml:6: maxShift: 2h is more than the lake's lookahead (1h)"],
    ["tail above lookback", edit("tail", "tail: 25h"), "own.yaml:5: tail: 25h is more than the lake's lookback (24h)"],
    ["idle above lookback", add("idle: 25h"), "own.yaml:6: idle: 25h is more than the lake's lookback (24h)"],
    [
      "session above lookback",
      add("maxSession: 24h1ms"),
      "own.yaml:6: maxSession: 24h1ms is more than the lake's lookback (24h)",
    ],
    [
      "no session at all",
      add("maxSession: 0"),
      "own.yaml:6: maxSession: 0 would quarantine every session | write null",
    ],
    ["no YAML", edit("tail", "tail: ]"), "own.yaml:5: no valid YAML:"],
    ["an unknown tag", edit("tail", "tail: !x 3s"), "own.yaml:5: no valid YAML:"],
    ["an alias to nowhere", edit("tail", "tail: *x"), "own.yaml:1: no valid YAML:"],
    ["two documents", add("---\nname: x"), "own.yaml:6: no valid YAML:"],
    ["a repeated key", add("tail: 1s"), "own.yaml:6: tail: is given twice | keep one of them"],
    [
      "a repeated key in gap",
      edit("gap", "gap:\n  max: 1s\n  credit: 1s\n  max: 2s"),
      "own.yaml:7: gap.max: is given twice",
    ],
  ])("%s", (_, text, message) => expect(fault(text).text).toContain(message));

  test("as fields, too", () => {
    expect(fault(edit("gap", "gap: { max: 2h, credit: 0 }")).error).toMatchObject({
      exitCode: 2,
      place: { file: "own.yaml", line: 4, key: "gap.max" },
    });
  });

  test("and tell what else is wrong", () => {
    const text = `${edit("tail", "tail: 25h")}maxSession: 25h\nstates:\n  or: { on: [X], off: [] }\n`;
    const first = "own.yaml:5: tail: 25h is more than the lake's lookback (24h)";
    expect(fault(text).text).toContain(
      `${first} (3 more: line 6 maxSession: 25h is more than the lake's lookback (24h); line 8 states.or: is an operator of online: use another name; line 8 states.or.on[0]: unknown event type "X")`,
    );
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readOptions } from "../../../src/plan/config.ts";
import { usageFault } from "./faults.ts";

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "config-"));
});
afterEach(() => rmSync(cwd, { recursive: true }));

type Given = { flags?: Record<string, unknown>; env?: Record<string, string>; file?: string };

function fault({ flags = {}, env = {}, file }: Given) {
  if (file !== undefined) writeFileSync(join(cwd, "presence.yaml"), file);
  return usageFault(() => readOptions({ flags, env, cwd }));
}

describe("errors name the place", () => {
  test.each([
    ["lookbak: 24h", "presence.yaml:1: lookbak: unknown key | did you mean lookback?"],
    ["tz: UTC\nmissing-hours: 2", "presence.yaml:2: missing-hours: unknown key | did you mean missingHours?"],
    ["tz: UTC\ntz: UTC", "presence.yaml:2: tz: is given twice"],
    ["tz: [UTC", "presence.yaml:1: no valid YAML:"],
    ["- tz", "presence.yaml:1: the file must hold keys and values"],
    ["tz: +08:00", 'presence.yaml:1: tz: time zone "+08:00" is an offset'],
    ["tz:", "presence.yaml:1: tz: is empty"],
    ['last: "7"', 'presence.yaml:1: last: must be a whole number from 1 to 3700, not "7"'],
    ["last: 0", "presence.yaml:1: last: must be a whole number"],
    ["date: 2026-02-30", "presence.yaml:1: date: "],
    ["stale: yes", 'presence.yaml:1: stale: must be true or false, not "yes"'],
    ["metric: []", "presence.yaml:1: metric: is empty"],
    ["metric: {a: 1}", "presence.yaml:1: metric: must be a name or a list of names, not keys and values"],
    ["engine: duckbd", "presence.yaml:1: engine: must be duckdb or spark"],
    ["engine: duckbd", "did you mean duckdb?"],
    ["lake: gs://bucket/x", "presence.yaml:1: lake: must be a folder or s3://bucket/prefix"],
    ["memoryLimit: 400", "presence.yaml:1: memoryLimit: must be a size"],
    ["maxQuarantined: 5", "write 5% if that is meant"],
    ["serverTimeout: 90", "presence.yaml:1: serverTimeout: "],
    ["serverTimeout: 90", "write 90s"],
    ["lookback: 800h", "presence.yaml:1: lookback: 800h is too long (at most 744h)"],
    ["eventTypes: [order]", "presence.yaml:1: eventTypes: must be event types of A–Z"],
    ["eventTypes: [HEARTBEAT]", "presence.yaml:1: eventTypes: HEARTBEAT is a core event type"],
    ["eventTypes: [SERVER_TIMEOUT]", "SERVER_TIMEOUT is a core event type"],
    ["allowedLateness: 2h", "presence.yaml:1: allowedLateness: allowedLateness 2h is more than lookahead 1h"],
    ["tz: UTC\nlookahead: 5m", "presence.yaml:2: lookahead: allowedLateness 10m is more than lookahead 5m"],
    ["sequence: none\ntz: x\nfoo: 1", '(2 more: line 2 tz: time zone "x" does not exist; line 3 foo: unknown key)'],
    ["tz: UTC\nmetrics: a\nlookBack: 1h", "(1 more: line 3 lookBack: unknown key, did you mean lookback?)"],
    ["timezone: UTC", "presence.yaml:1: timezone: unknown key | did you mean tz?"],
    ["output: x", "presence.yaml:1: output: unknown key | did you mean out?"],
    ["__proto__: 1", "presence.yaml:1: __proto__: unknown key"],
    ["constructor: 1", "presence.yaml:1: constructor: unknown key"],
  ])("file %j", (file, text) => expect(fault({ file }).text).toContain(text));

  test("as fields, too", () => {
    expect(fault({ file: "tz: UTC\nlast: x" }).error.place).toEqual({ file: "presence.yaml", line: 2, key: "last" });
  });

  test.each([
    [
      { PRESENCE_BATCH_MISSING_HOURS: "x" },
      'PRESENCE_BATCH_MISSING_HOURS: must be a whole number from 0 to 48, not "x"',
    ],
    [{ PRESENCE_BATCH_TZ: "" }, "PRESENCE_BATCH_TZ: is empty"],
    [{ PRESENCE_BATCH_CONFIG: "" }, "PRESENCE_BATCH_CONFIG: is empty"],
    [{ PRESENCE_BATCH_STALE: "ja" }, 'PRESENCE_BATCH_STALE: must be true or false, not "ja"'],
    [{ PRESENCE_BATCH_LOCKBACK: "1h" }, "unknown environment variable PRESENCE_BATCH_LOCKBACK"],
    [{ PRESENCE_BATCH_LOCKBACK: "1h" }, "did you mean PRESENCE_BATCH_LOOKBACK?"],
  ] as [Record<string, string>, string][])("environment %j", (env, text) =>
    expect(fault({ env }).text).toContain(text),
  );

  test.each([
    [{ missingHours: "-1" }, "--missing-hours: must be a whole number from 0 to 48"],
    [{ tz: "EST" }, '--tz: time zone "EST" is no Area/City | did you mean America/New_York?'],
    [{ lake: "" }, "--lake: is empty"],
    [{ maxQuarantined: "5" }, "--max-quarantined: "],
    [{ date: "29.7.2026" }, "--date: "],
    [{ config: "none.yaml" }, "cannot read the config file none.yaml: no such file"],
    [{ config: "." }, "cannot read the config file .: it is a folder"],
  ])("flags %j", (flags, text) => expect(fault({ flags }).text).toContain(text));

  test("a file that is no text", () => {
    writeFileSync(join(cwd, "x.yaml"), Buffer.from([0xff, 0xfe, 0x00]));
    expect(fault({ flags: { config: "x.yaml" } }).text).toContain("is not UTF-8 text");
  });
});

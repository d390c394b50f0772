import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readOptions, readRebuildOptions } from "../../../src/plan/config.ts";
import { DEFAULT_SETTINGS } from "../../../src/plan/settings.ts";
import { usageFault } from "./faults.ts";

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "config-"));
});
afterEach(() => rmSync(cwd, { recursive: true }));

type Given = { flags?: Record<string, unknown>; env?: Record<string, string>; file?: string };
const NEEDED = { tz: "Asia/Shanghai", lake: "lake", out: "out" };

function inputs({ flags = {}, env = {}, file }: Given) {
  if (file !== undefined) writeFileSync(join(cwd, "presence.yaml"), file);
  return { flags, env, cwd };
}
const rebuild = (given: Given) => readRebuildOptions(inputs({ ...given, flags: { ...NEEDED, ...given.flags } }));
const options = (given: Given) => readOptions(inputs(given));
const fault = (given: Given) => usageFault(() => options(given));

describe("options of rebuild", () => {
  test("have defaults, but for zone, lake and out", () => {
    expect(rebuild({})).toEqual({
      days: { kind: "none" },
      stale: false,
      metrics: ["connected", "foreground", "active"],
      zone: "Asia/Shanghai",
      lake: join(cwd, "lake"),
      out: join(cwd, "out"),
      settings: DEFAULT_SETTINGS,
      onBadFile: "fail",
      missingHours: 0,
      allowUnfinished: false,
      maxQuarantined: null,
      dryRun: false,
      force: false,
      engine: "duckdb",
      threads: null,
      memoryLimitBytes: null,
      tempDir: null,
      json: false,
      debug: false,
    });
  });

  test.each([
    ["tz", "--tz is missing: the business time zone has no default | for example --tz Asia/Shanghai (or UTC)"],
    ["lake", "--lake is missing: the event lake has no default | for example --lake /data/lake"],
    ["out", "--out is missing: the mart to write has no default | for example --out /data/mart"],
  ])("%s is required", (name, text) =>
    expect(usageFault(() => rebuild({ flags: { [name]: undefined } })).text).toContain(text),
  );

  test("flags are texts", () => {
    const flags = {
      from: "2026-07-01",
      to: "yesterday",
      metric: ["foreground,active@1", "rules/watching.yaml"],
      lake: "s3://bucket/events",
      onBadFile: "quarantine",
      missingHours: "2",
      maxQuarantined: "5%",
      dryRun: true,
      threads: "4",
      memoryLimit: "1GiB",
      tempDir: "tmp",
    };
    expect(rebuild({ flags })).toMatchObject({
      days: { kind: "range", from: "2026-07-01", to: "yesterday" },
      metrics: ["foreground", "active@1", "rules/watching.yaml"],
      lake: "s3://bucket/events",
      onBadFile: "quarantine",
      missingHours: 2,
      maxQuarantined: 0.05,
      dryRun: true,
      threads: 4,
      memoryLimitBytes: 1_073_741_824,
      tempDir: join(cwd, "tmp"),
    });
  });

  test("--stale looks at the last seven days, if none are named", () => {
    expect(rebuild({ flags: { stale: true } }).days).toEqual({ kind: "last", count: 7 });
    expect(rebuild({ flags: { stale: true, last: "3" } }).days).toEqual({ kind: "last", count: 3 });
  });
});

describe("sources", () => {
  const file = "tz: UTC\nlake: of-file\nmissingHours: 1\nengine: spark\nlast: 7\n";

  test("flags win over variables, those over the file", () => {
    const env = { PRESENCE_BATCH_LAKE: "of-env", PRESENCE_BATCH_MISSING_HOURS: "2", HOME: "/root" };
    const { values } = options({ flags: { missingHours: "3", lake: undefined }, env, file });
    expect(values).toMatchObject({ tz: "UTC", lake: join(cwd, "of-env"), missingHours: 3, engine: "spark" });
  });

  test("the strongest source that names days decides alone", () => {
    expect(options({ file }).days).toEqual({ kind: "last", count: 7 });
    expect(options({ file, flags: { date: "today" } }).days).toEqual({ kind: "date", date: "today" });
    expect(fault({ file, flags: { from: "today" } }).text).toContain("--from: the other end is missing");
    expect(fault({ file: "last: 7\ndate: today\n" }).text).toBe(
      "presence.yaml:1: last: does not go with date | name days by date, by from and to, or by last",
    );
  });

  test("paths in a config file are relative to it", () => {
    mkdirSync(join(cwd, "etc"));
    writeFileSync(
      join(cwd, "etc/batch.yaml"),
      "lake: data\nout: ../mart\ntempDir: /tmp/x\nmetric: [rules/own.yaml, active]\n",
    );
    const expected = {
      lake: join(cwd, "etc/data"),
      out: join(cwd, "mart"),
      tempDir: "/tmp/x",
      metric: [join(cwd, "etc/rules/own.yaml"), "active"],
    };
    expect(options({ flags: { config: "etc/batch.yaml" } }).values).toEqual(expected);
    expect(options({ env: { PRESENCE_BATCH_CONFIG: "etc/batch.yaml" } }).values).toEqual(expected);
  });

  test("variables hold comma lists and words for true and false", () => {
    const env = {
      PRESENCE_BATCH_METRIC: "foreground, active",
      PRESENCE_BATCH_EVENT_TYPES: "ORDER_TAKEN,ORDER_DONE,ORDER_TAKEN,LIVE_ENTER",
      PRESENCE_BATCH_TIMEOUT_CLOSES: "1",
      PRESENCE_BATCH_STALE: "false",
      PRESENCE_BATCH_SERVER_TIMEOUT: "2m",
    };
    const { values, settings } = options({ env });
    expect(values).toMatchObject({ metric: ["foreground", "active"], stale: false });
    expect(settings).toEqual({
      ...DEFAULT_SETTINGS,
      eventTypes: ["ORDER_DONE", "ORDER_TAKEN"],
      timeoutCloses: true,
      serverTimeoutMs: 120_000,
    });
  });

  test("a config file sets the lake settings", () => {
    const file = [
      "lookback: 48h",
      "lookahead: 2h",
      "partitionSlack: 0",
      "allowedLateness: 1h30m",
      "maxSequenceJump: 500",
      "eventTypes: [ORDER]",
      "sequence: arrival",
      "timeUnit: us",
      "maxQuarantined: 0.05",
    ].join("\n");
    expect(options({ file }).settings).toEqual({
      ...DEFAULT_SETTINGS,
      lookbackMs: 172_800_000,
      lookaheadMs: 7_200_000,
      partitionSlackMs: 0,
      allowedLatenessMs: 5_400_000,
      maxSequenceJump: 500,
      eventTypes: ["ORDER"],
      sequence: "arrival",
      timeUnit: "us",
    });
  });

  test("an empty config file is as good as none", () => expect(options({ file: "# nothing\n" }).values).toEqual({}));
});

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
    ["sequence: none\ntz: x\nfoo: 1", "(2 more: line 2 tz; line 3 foo)"],
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

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readOptions, readRebuildOptions } from "../../../src/plan/config.ts";
import { DEFAULT_S3 } from "../../../src/plan/s3-options.ts";
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
      spark: { dir: null, emit: null, submit: "spark-submit" },
      stale: false,
      metrics: ["connected", "foreground", "active"],
      zone: "Asia/Shanghai",
      lake: join(cwd, "lake"),
      out: join(cwd, "out"),
      settings: DEFAULT_SETTINGS,
      s3: DEFAULT_S3,
      profile: false,
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

  test("S3 is reached by one configuration; an endpoint of one's own is addressed by path unless told otherwise", () => {
    const flags = { region: "eu-central-1", requestPayer: true, sseKmsKey: "key-1", downloadConcurrency: "3" };
    expect(rebuild({ flags }).s3).toEqual({
      ...DEFAULT_S3,
      region: "eu-central-1",
      requestPayer: true,
      sseKmsKey: "key-1",
      downloadConcurrency: 3,
    });
    const endpoint = "http://127.0.0.1:9000";
    expect(rebuild({ flags: { endpoint: `${endpoint}/` } }).s3).toMatchObject({ endpoint, pathStyle: true });
    expect(rebuild({ file: `endpoint: ${endpoint}\npathStyle: false\n` }).s3).toMatchObject({ pathStyle: false });
  });

  test.each([
    [{ endpoint: "https://KEY:SECRET@s3.example.com" }, "--endpoint: must be a URL such as https://s3.example.com"],
    [{ lake: "s3://KEY:SECRET@bucket/events" }, "--lake: must be a folder or s3://bucket/prefix, without credentials"],
  ])("credentials have no place in %o, and are not repeated", (flags, text) => {
    const said = usageFault(() => rebuild({ flags })).text;
    expect(said).toContain(text);
    expect(said).not.toMatch(/SECRET/);
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

test("the command that reaches Spark may go over several lines", () => {
  const file = "engine: spark\nsparkSubmit: |\n  spark-submit --master yarn\n    --conf a=b\n";
  expect(rebuild({ file }).spark).toMatchObject({ submit: "spark-submit --master yarn --conf a=b" });
});

import { describe, expect, test } from "vitest";
import { DAY, NEEDED, RESULT, recordingRebuild, runFake } from "./fakes.ts";

describe("what rebuild asks the use case for", () => {
  test("every flag reaches the options", async () => {
    const { usecase, options, effects } = recordingRebuild();
    const flags = [
      ["--from", "2026-07-01", "--to", "2026-07-03", "--lake", "/lake", "--out", "/mart", "--tz", "Asia/Shanghai"],
      ["--metric", "connected,active", "--metric", "foreground@1", "--on-bad-file", "quarantine"],
      ["--missing-hours", "2", "--allow-unfinished", "--max-quarantined", "5%", "--threads", "3"],
      ["--memory-limit", "2GB", "--temp-dir", "/scratch", "--json", "--stale", "--force"],
    ].flat();
    expect(await runFake(["rebuild", ...flags], { rebuild: usecase })).toMatchObject({ code: 0, stderr: "" });
    expect(options).toMatchObject([
      {
        days: { kind: "range", from: "2026-07-01", to: "2026-07-03" },
        metrics: ["connected", "active", "foreground@1"],
        zone: "Asia/Shanghai",
        lake: "/lake",
        out: "/mart",
        onBadFile: "quarantine",
        missingHours: 2,
        allowUnfinished: true,
        maxQuarantined: 0.05,
        threads: 3,
        memoryLimitBytes: 2_000_000_000,
        tempDir: "/scratch",
        json: true,
        stale: true,
        force: true,
      },
    ]);
    expect(effects[0]!.nowMs).toBe(Date.UTC(2026, 7, 1));
  });

  test("options may come from the environment", async () => {
    const { usecase, options } = recordingRebuild();
    const env = { PRESENCE_BATCH_LAST: "2", PRESENCE_BATCH_TZ: "UTC", PRESENCE_BATCH_OUT: "/mart" };
    await runFake(["rebuild", "--lake", "/lake"], { rebuild: usecase, io: { env } });
    expect(options[0]).toMatchObject({ days: { kind: "last", count: 2 }, zone: "UTC", out: "/mart" });
  });

  test("how Spark is reached: SPARK_HOME, the environment, flags", async () => {
    const { usecase, options } = recordingRebuild();
    const spark = (env: Record<string, string>, ...flags: string[]) =>
      runFake(["rebuild", ...NEEDED, "--engine", "spark", ...flags], { rebuild: usecase, io: { env } });
    await spark({});
    await spark({ SPARK_HOME: "/opt/spark it's" });
    await spark({ SPARK_HOME: "/opt/spark", PRESENCE_BATCH_SPARK_SUBMIT: "spark-submit --master yarn" });
    await spark({}, "--spark-submit", "submit 'a b'", "--spark-dir", "s3://bucket/jobs");
    expect(options.map((given) => given.spark)).toEqual([
      { submit: "spark-submit", dir: null, emit: null },
      { submit: "'/opt/spark it'\\''s/bin/spark-submit'", dir: null, emit: null },
      { submit: "spark-submit --master yarn", dir: null, emit: null },
      { submit: "submit 'a b'", dir: "s3://bucket/jobs", emit: null },
    ]);
    expect(options.map(({ engine }) => engine)).toEqual(["spark", "spark", "spark", "spark"]);
  });

  test.each([
    [["--spark-submit", "spark-submit"], "--spark-submit is for --engine spark only"],
    [["--spark-dir", "jobs"], "--spark-dir is for --engine spark only"],
    [["--engine", "duckdb", "--emit", "jobs"], "--emit is for --engine spark only"],
    [["--collect", "jobs"], "--date does not go with --collect"],
  ])("%s: %s", async (flags, problem) => {
    const { usecase, options } = recordingRebuild();
    const { code, stderr } = await runFake(["rebuild", ...NEEDED, ...flags], { rebuild: usecase });
    expect({ code, asked: options.length }).toEqual({ code: 2, asked: 0 });
    expect(stderr).toContain(`error: ${problem}\n`);
  });
});

describe("the result on stdout", () => {
  test("a table of days and definitions, and what needs a look", async () => {
    const { stdout } = await runFake(["rebuild", ...NEEDED]);
    expect(stdout).toBe(
      [
        "day         definition     users   online h:mm:ss  session h:mm:ss  sessions     events  quarantined  seconds",
        "2026-07-29  connected@1   10,000  1,234:05:06.789  1,388:53:20.000    12,345  1,234,500           67     12.3",
        "2026-07-29  foreground@1   9,000      0:00:59.000      0:01:00.000    12,000",
        "2026-07-29 quarantined of 1,234,567 events: DUPLICATE_EVENT 60 (<0.01%), EVENT_AFTER_CLOSE 7 (<0.01%)",
        "2026-07-29 foreground@1: 2 sessions quarantined",
        "2026-07-29 foreground@1: 1 session whose foreground state no event tells",
        "1 day published to /mart by run r1-2026-07-29",
        "",
      ].join("\n"),
    );
  });

  test("an incomplete day is marked, with why and with its bad files", async () => {
    const badFiles = Array.from({ length: 12 }, (_, i) => ({ path: `f${i}\x1b[2J`, reason: "TRUNCATED", detail: "" }));
    const day = { ...DAY, complete: false, incompleteBecause: ["12 bad files", "not over yet"], badFiles };
    const rebuild = async () => ({ ...RESULT, days: [day] });
    const { stdout } = await runFake(["rebuild", ...NEEDED], { rebuild: { rebuild } });
    expect(stdout).toMatch("\n2026-07-29*  connected@1");
    expect(stdout).toMatch("\n* 2026-07-29 is incomplete: 12 bad files; not over yet\n");
    expect(stdout).toMatch("2026-07-29 bad file f9\\u001b[2J: TRUNCATED\n2026-07-29 2 more bad files");
  });

  test("days that needed no new files are told apart", async () => {
    const days = (["files", "files", "inputs", "nothing"] as const).map((published) => ({ ...DAY, published }));
    const rebuild = async () => ({ ...RESULT, days });
    const { stdout } = await runFake(["rebuild", ...NEEDED], { rebuild: { rebuild } });
    expect(stdout).toMatch(
      /\n2 days published to \/mart\n1 day with the same rows[^\n]+\n1 day already there[^\n]+\n$/,
    );
    const none = await runFake(["rebuild", ...NEEDED], { rebuild: { rebuild: async () => ({ ...RESULT, days: [] }) } });
    expect(none.stdout).toBe("no day to rebuild\n");
  });

  test("--json is one document, and everything else goes to stderr", async () => {
    const { stdout, stderr } = await runFake(["rebuild", ...NEEDED, "--json"], {
      rebuild: {
        async rebuild(_, effects) {
          effects.progress({ kind: "published", day: "2026-07-29", seconds: 1 });
          effects.warn("look");
          return RESULT;
        },
      },
    });
    expect(JSON.parse(stdout)).toEqual({ schema: "presence-batch/rebuild@1", ...RESULT });
    expect(stderr).toBe("2026-07-29 published after 1.0 s\nwarning: look\n");
  });

  test("--dry-run shows the plan and rebuilds nothing", async () => {
    const { usecase, options } = recordingRebuild();
    const { stdout } = await runFake(["rebuild", ...NEEDED, "--dry-run"], { rebuild: usecase });
    expect(options).toEqual([]);
    expect(stdout).toMatch("  counts   2026-07-29T00:00:00.000Z to 2026-07-30T00:00:00.000Z (24:00:00)\n");
    expect(stdout).toMatch("  reads    2026-07-28T00:00:00.000Z to 2026-07-30T01:00:00.000Z: 49 files, 1.5 kB\n");
    expect(stdout).toMatch("  because  foreground@1 is stale (input, rules changed)\n");
    expect(stdout).toMatch("not to be built: 2026-07-30 is not over yet\n");
    expect(stdout).toMatch("the day itself lacks 1 hour of UTC: 2026-07-29T07\n");
    expect(stdout).toMatch("  writes   user_daily/metric=foreground/version=1/date=2026-07-29/part-00000.parquet\n");
    expect(stdout).toMatch("not read:\n  notes.txt (no Parquet file)\n");
    const json = await runFake(["rebuild", ...NEEDED, "--dry-run", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ schema: "presence-batch/rebuild-plan@1", zone: "UTC" });
  });
});

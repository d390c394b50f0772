/** Submitting to Spark with commands that are none: when a job counts as done, and what a failure says. A real one: test/spark/. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { collectJobs, emitJobs } from "../../src/usecases/emit-jobs.ts";
import { rebuild } from "../../src/usecases/rebuild.ts";
import { DAY, LakeBuilder } from "../oracle/build.ts";
import { tempFolder, writeRows } from "../support/lake-on-disk.ts";
import { fixedEffects, optionsOf } from "../support/rebuild-options.ts";

let folder: string;
let lake: string;
let out: string;
let tempDir: string;

beforeEach(async () => {
  folder = tempFolder("presence-submission-");
  [lake, out, tempDir] = ["lake", "mart", "tmp"].map((name) => join(folder, name)) as [string, string, string];
  mkdirSync(tempDir);
  await writeRows(new LakeBuilder().beat("10:00", "10:10", 30_000).events, lake);
});

const options = (submit: string, more: Partial<Parameters<typeof optionsOf>[0]> = {}) =>
  optionsOf({
    lake,
    out,
    date: DAY,
    metrics: ["connected"],
    missingHours: 23,
    tempDir,
    engine: "spark",
    spark: { submit, dir: null, emit: null },
    ...more,
  });

/** A command that does as the script says; its arguments are the driver and the job. */
function command(script: string): string {
  const path = join(folder, "submit here");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return `'${path}' --master 'local[2]'`;
}

const say = (what: string, value: object): string => `printf '%s\\n' 'presence-batch ${what} ${JSON.stringify(value)}'`;
const onlyLogs = (): string[] => readdirSync(tempDir).filter((name) => name.endsWith(".log"));

describe("a job that is not done", () => {
  test("exit code 0 without a result is a failure (1), with the path of the log", async () => {
    const submit = command("echo all went well; exit 0");
    await expect(rebuild(options(submit), fixedEffects())).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringMatching(/^Spark has not counted 2024-01-15 \(.*without a result\): .* ended with 0$/),
      hint: expect.stringContaining(`Full log: ${tempDir}/presence-batch-spark-`),
    });
    expect(onlyLogs()).toHaveLength(1);
    expect(readFileSync(join(tempDir, onlyLogs()[0]!), "utf8")).toBe("all went well\n");
    expect(existsSync(join(out, "_presence/commits"))).toBe(false);
  });

  test("a result of another job, or half of one, is none", async () => {
    const other = JSON.stringify({ format: 1, job: "another" });
    const write = (more: string) =>
      command(`d="$(dirname "$4")/result"; mkdir "$d"; echo '${other}' > "$d/part-00000-x.txt"; ${more}`);
    await expect(rebuild(options(write("exit 0")), fixedEffects())).rejects.toThrow("without a result");
    await expect(rebuild(options(write('touch "$d/_SUCCESS"')), fixedEffects())).rejects.toThrow(
      "it is the result of another",
    );
    expect(existsSync(join(out, "_presence/commits"))).toBe(false);
  });

  test("Spark's own words are the error (1), a condition rather than the stack around it", async () => {
    const error =
      "An error occurred while calling o42.parquet.\n: org.apache.spark.SparkException: [DIVIDE_BY_ZERO] Division by zero. SQLSTATE: 22012\n\tat org.x";
    const submit = command(`${say("failed", { job: "j", step: "slots", error })}; exit 1`);
    await expect(rebuild(options(submit), fixedEffects())).rejects.toMatchObject({
      exitCode: 1,
      message: "Spark has not counted 2024-01-15 (in slots): [DIVIDE_BY_ZERO] Division by zero.",
    });
  });

  test("what the command says before any job is the error", async () => {
    const submit = command('echo "26/01/01 INFO nothing"; echo "Error: Master must be yarn" >&2; exit 1');
    await expect(rebuild(options(submit), fixedEffects())).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringContaining(": Error: Master must be yarn"),
    });
  });

  test("a place that Spark does not reach is a matter of usage (2)", async () => {
    const error = "[PATH_NOT_FOUND] Path does not exist: file:/x/job.json. SQLSTATE: 42K03";
    const submit = command(`${say("failed", { job: "/x/job.json", step: "job", error })}; exit 1`);
    await expect(rebuild(options(submit), fixedEffects())).rejects.toMatchObject({
      exitCode: 2,
      message: "Spark cannot read its job /x/job.json: [PATH_NOT_FOUND] Path does not exist: file:/x/job.json.",
      hint: expect.stringContaining("--spark-dir"),
    });
  });

  test("a bucket that Spark cannot reach for want of S3A is one, too, and says what to add", async () => {
    const error =
      "An error occurred while calling o36.text.\n: java.lang.ClassNotFoundException: Class org.apache.hadoop.fs.s3a.S3AFileSystem not found";
    const submit = command(`${say("failed", { job: "s3a://b/job.json", step: "job", error })}; exit 1`);
    await expect(rebuild(options(submit), fixedEffects())).rejects.toMatchObject({
      exitCode: 2,
      hint: expect.stringContaining("--packages org.apache.hadoop:hadoop-aws:"),
    });
  });

  test("what a driver elsewhere has left in the place is the error, where nothing is seen of its output", async () => {
    const left = JSON.stringify({ job: "j", step: "slots", error: "[ARITHMETIC_OVERFLOW] long overflow" });
    const submit = command(
      `d="$(dirname "$4")/attempt-1/failure"; mkdir -p "$d"; echo '${left}' > "$d/part-00000-x.txt"; exit 1`,
    );
    await expect(rebuild(options(submit), fixedEffects())).rejects.toMatchObject({
      exitCode: 1,
      message: "Spark has not counted 2024-01-15 (in slots): [ARITHMETIC_OVERFLOW] long overflow",
    });
  });

  test("a command that is not there is a matter of usage (2)", async () => {
    await expect(rebuild(options("/no/such/spark-submit"), fixedEffects())).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining("cannot run /no/such/spark-submit"),
      hint: expect.stringContaining("SPARK_HOME"),
    });
  });
});

describe("a file that Spark cannot read", () => {
  const failing = (file: string) =>
    say("failed", {
      job: "j",
      step: "keyed",
      error: `[FAILED_READ_FILE.NO_HINT] Encountered error while reading file file://${file}. SQLSTATE: KD001`,
    });

  test("ends the run with 3 and its name", async () => {
    const relative = "event_date=2024-01-15/event_hour=10/part-0.parquet";
    const submit = command(`${failing(join(lake, relative))}; exit 1`);
    await expect(rebuild(options(submit), fixedEffects())).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining(`${relative} (UNREADABLE: [FAILED_READ_FILE.NO_HINT]`),
    });
  });

  test("is left out of a second try where bad files are quarantined", async () => {
    const file = join(lake, "event_date=2024-01-15/event_hour=10/part-0.parquet");
    const seen = join(folder, "seen");
    const submit = command(`grep -c ${file} "$4" >> ${seen}; ${failing(file)}; exit 1`);
    await expect(rebuild(options(submit, { onBadFile: "quarantine" }), fixedEffects())).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining("(in keyed)"),
    });
    expect(readFileSync(seen, "utf8")).toBe("1\n0\n");
  });
});

test("a stopped run stops what it has submitted, and leaves nothing of it", async () => {
  const pid = join(folder, "pid");
  const submit = command(`sleep 600 & echo $! > ${pid}; wait`);
  const stop = new AbortController();
  const running = rebuild(options(submit), fixedEffects({ signal: stop.signal }));
  while (!existsSync(pid) || readFileSync(pid, "utf8") === "") await new Promise((done) => setTimeout(done, 20));
  stop.abort(new Error("stopped"));
  await expect(running).rejects.toThrow("stopped");
  await expect.poll(() => isAlive(Number(readFileSync(pid, "utf8")))).toBe(false);
  expect(readdirSync(tempDir).filter((name) => !name.endsWith(".log"))).toEqual([]);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

describe("emitted jobs", () => {
  const emit = (dir: string) => {
    const spark = { submit: "spark-submit", dir: null, emit: dir };
    return emitJobs(options("spark-submit", { spark }), spark, fixedEffects());
  };

  test("hold all that Spark needs, and say what is to be run", async () => {
    const dir = join(folder, "jobs");
    expect(await emit(dir)).toEqual({
      dir,
      driver: join(dir, "driver.py"),
      jobs: [{ day: DAY, job: join(dir, DAY, "job.json"), files: 1, bytes: expect.any(Number) }],
    });
    const job = JSON.parse(readFileSync(join(dir, DAY, "job.json"), "utf8"));
    expect(job.scans[0].files[0].path).toBe(join(lake, "event_date=2024-01-15/event_hour=10/part-0.parquet"));
    expect(job.settings).toMatchObject({ "spark.sql.session.timeZone": "UTC", "spark.sql.ansi.enabled": "true" });
    expect(existsSync(out)).toBe(false);
    await expect(emit(dir)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining("is not empty") });
  });

  test("cannot be collected before they have run (3), nor where the lake has changed (3)", async () => {
    const dir = join(folder, "jobs");
    await emit(dir);
    const collect = () => collectJobs({ dir, tempDir }, fixedEffects());
    await expect(collect()).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringContaining("has not been run"),
    });
    mkdirSync(join(dir, DAY, "result"));
    for (const name of ["_SUCCESS", "part-0.txt"]) writeFileSync(join(dir, DAY, "result", name), "{}");
    await writeRows(new LakeBuilder().beat("11:00", "11:10", 30_000).events, lake);
    await expect(collect()).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining("has changed") });
    const elsewhere = collectJobs({ dir: folder, tempDir }, fixedEffects());
    await expect(elsewhere).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining("no folder of --emit"),
    });
  });
});

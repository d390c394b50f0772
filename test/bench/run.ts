/** `npm run bench`: what a rebuild costs, as ratios within one run. See `--help`. */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { sqlPaths } from "../../src/engine/duckdb/reading/sql-text.ts";
import { DEFAULT_SETTINGS } from "../../src/plan/settings.ts";
import { planDays } from "../../src/usecases/day-plan.ts";
import { BIN, DATE, FROM, sampleLake, threeYears, ZONE } from "./lakes.ts";
import { type Measured, measure, median } from "./process.ts";
import { SKEWS, skewedLake } from "./skew.ts";
import { SEVERAL_TASKS, type SparkBench, sparkOptions, sparkReport } from "./spark.ts";

const HELP = `npm run bench -- [--users N] [--rounds N] [--month-users N] [--cache DIR] [--rows a,b] [--engine spark] [--json]

Makes the sample lakes that it needs (cached below --cache, default <tmp>/presence-batch-bench), then runs rebuild, the floor (one
query that reads every needed column) and the textbook query in turn, --rounds times, as whole processes with their start-up.
37,000 users (the default) are about 25 million events in the read window of one business day. Ratios are medians of
rounds. Rows: floor, textbook, memory, limit, tenth, definitions, month, partitions, start-up.

With --engine spark, nothing else is measured but Spark's time beside DuckDB's, for a tenth of --users and for all of them; it needs
what .ci/spark installs. With --rows skew, too, Spark's time for lakes of a tenth of --users in which one session or one user has a
thousandth or a tenth of all events, against the one in which nobody has.
`;

interface Row {
  readonly row: string;
  readonly figure: string;
  readonly goal: string;
  readonly value: number;
  readonly unit: string;
  readonly met: boolean;
  readonly detail: string;
}

const { values } = parseArgs({
  options: {
    users: { type: "string", default: "37000" },
    "month-users": { type: "string", default: "1000" },
    rounds: { type: "string", default: "3" },
    cache: { type: "string", default: join(tmpdir(), "presence-batch-bench") },
    rows: { type: "string" },
    engine: { type: "string", default: "duckdb" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const users = Number(values.users);
const rounds = Number(values.rounds);
const { cache } = values;
mkdirSync(cache, { recursive: true });
const work = mkdtempSync(join(cache, "run-"));
const wanted = (row: string): boolean => !values.rows || values.rows.split(",").includes(row);
const say = (text: string): void => void process.stderr.write(`${text}\n`);
const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(2)} GB`;
const inSeconds = (runs: readonly Measured[]): string =>
  `${median(runs.map(({ seconds }) => seconds)).toFixed(2)} s (CPU ${median(runs.map(({ cpuSeconds }) => cpuSeconds)).toFixed(1)} s)`;
const rows: Row[] = [];

let outs = 0;
/** One rebuild into a mart of its own. */
async function rebuild(lake: string, ...options: string[]): Promise<Measured & { out: string }> {
  const out = join(work, `mart-${outs++}`);
  const days = options.some((option) => option === "--from" || option === "--date") ? [] : ["--date", DATE];
  const measured = await measure([BIN, "rebuild", "--lake", lake, "--out", out, "--tz", ZONE, ...days, ...options]);
  return { ...measured, out };
}

async function query(name: "floor" | "textbook", lake: string): Promise<Measured> {
  const options = { lake, zone: ZONE, settings: DEFAULT_SETTINGS, days: { kind: "date", date: DATE } } as const;
  const { days } = await planDays(options, { nowMs: Date.now() });
  const paths = join(work, "paths.json");
  writeFileSync(paths, JSON.stringify(days[0]!.files.map(({ path }) => path)));
  const script = (file: string) => new URL(file, import.meta.url).pathname;
  return measure([script("query.mjs"), script(`${name}.sql`), paths, join(work, `${name}.parquet`)]);
}

/** Runs things in turn, so that all of them meet the same noise; gives each one's measurements. */
async function inTurn<K extends string>(
  things: Readonly<Record<K, () => Promise<Measured>>>,
  times = rounds,
): Promise<Record<K, Measured[]>> {
  const found = Object.fromEntries(Object.keys(things).map((name) => [name, []])) as unknown as Record<K, Measured[]>;
  for (let round = 0; round < times; round++) {
    for (const [name, run] of Object.entries(things) as [K, () => Promise<Measured>][]) {
      const measured = await run();
      found[name].push(measured);
      say(
        `round ${round + 1}: ${name} ${measured.seconds.toFixed(2)} s, ${measured.cpuSeconds.toFixed(1)} CPU s, ${gigabytes(measured.peakRssBytes)}`,
      );
    }
  }
  return found;
}

/** Median over rounds of one thing's time divided by another's in the same round. */
const ratio = (above: readonly Measured[], below: readonly Measured[]): number =>
  median(above.map(({ seconds }, i) => seconds / below[i]!.seconds));

function add(
  row: string,
  figure: string,
  [sign, limit]: readonly ["at most" | "at least", number],
  value: number,
  unit: string,
  detail: string,
): void {
  const met = sign === "at most" ? value <= limit : value >= limit;
  rows.push({ row, figure, goal: `${sign} ${limit}${unit}`, value, unit, met, detail });
}

/** Hash of every published file's path and bytes. */
function contentOf(out: string): string {
  const hash = createHash("sha256");
  const walk = (folder: string): void => {
    for (const name of readdirSync(folder).sort()) {
      if (name === "_presence") continue;
      const path = join(folder, name);
      if (statSync(path).isDirectory()) walk(path);
      else hash.update(path.slice(out.length)).update(readFileSync(path));
    }
  };
  walk(out);
  return hash.digest("hex");
}

async function main(): Promise<void> {
  const lake = await sampleLake(cache, users, 2);
  let whole: Measured[] = [];
  if (["floor", "textbook", "memory"].some(wanted)) {
    const runs = await inTurn({
      rebuild: () => rebuild(lake),
      floor: () => query("floor", lake),
      textbook: () => query("textbook", lake),
    });
    whole = runs.rebuild;
    const three = `rebuild of three definitions ${inSeconds(runs.rebuild)}`;
    add(
      "floor",
      "rebuild ÷ reading every needed column",
      ["at most", 4],
      ratio(runs.rebuild, runs.floor),
      "",
      `${three}, floor ${inSeconds(runs.floor)}`,
    );
    add(
      "textbook",
      "textbook query of one definition ÷ rebuild",
      ["at least", 6],
      ratio(runs.textbook, runs.rebuild),
      "",
      `textbook ${inSeconds(runs.textbook)}, ${gigabytes(median(runs.textbook.map((run) => run.peakRssBytes)))}`,
    );
    add(
      "memory",
      "peak resident memory, default settings",
      ["at most", 2.5],
      median(whole.map((run) => run.peakRssBytes)) / 1e9,
      " GB",
      "",
    );
  }
  if (wanted("limit")) {
    const free = await rebuild(lake);
    const tight = await rebuild(lake, "--memory-limit", "1GB");
    const same = contentOf(free.out) === contentOf(tight.out);
    add(
      "limit",
      "time with --memory-limit 1GB ÷ without",
      ["at most", 2.5],
      tight.seconds / free.seconds,
      "",
      same ? "the same bytes" : "OTHER BYTES",
    );
    add("limit", "peak resident memory with --memory-limit 1GB", ["at most", 1.3], tight.peakRssBytes / 1e9, " GB", "");
  }
  if (wanted("tenth")) {
    const small = await sampleLake(cache, Math.round(users / 10), 2);
    const runs = await inTurn({ whole: () => rebuild(lake), tenth: () => rebuild(small) });
    add(
      "tenth",
      "time for 10 times the events",
      ["at most", 11],
      ratio(runs.whole, runs.tenth),
      "",
      `a tenth: ${inSeconds(runs.tenth)}`,
    );
  }
  if (wanted("definitions")) {
    const metrics = (names: string) => () => rebuild(lake, "--metric", names);
    const runs = await inTurn({
      one: metrics("connected"),
      two: metrics("connected,foreground"),
      three: metrics("connected,foreground,active"),
    });
    add(
      "definitions",
      "foreground beside connected, share of the run",
      ["at most", 8],
      100 * (1 - 1 / ratio(runs.two, runs.one)),
      " %",
      `one definition ${inSeconds(runs.one)}`,
    );
    add(
      "definitions",
      "active beside the two, share of the run",
      ["at most", 8],
      100 * (1 - 1 / ratio(runs.three, runs.two)),
      " %",
      "",
    );
  }
  if (wanted("month")) {
    const month = await sampleLake(cache, Number(values["month-users"]), 32);
    const dates = Array.from({ length: 31 }, (_, i) =>
      new Date(Date.parse(FROM) + (i + 1) * 86_400_000).toISOString().slice(0, 10),
    );
    const together = await rebuild(month, "--from", dates[0]!, "--to", dates[30]!);
    let apart = 0;
    for (const date of dates) apart += (await rebuild(month, "--date", date)).seconds;
    add(
      "month",
      "31 days in one call ÷ 31 calls",
      ["at most", 0.7],
      together.seconds / apart,
      "",
      `${together.seconds.toFixed(1)} s and ${apart.toFixed(1)} s`,
    );
  }
  if (wanted("partitions")) {
    const few = await sampleLake(cache, 1000, 2);
    const many = await threeYears(cache, 1000);
    const runs = await inTurn({ many: () => rebuild(many), few: () => rebuild(few) });
    add(
      "partitions",
      "a day among 26,000 partitions ÷ among its own",
      ["at most", 1.1],
      ratio(runs.many, runs.few),
      "",
      `${inSeconds(runs.few)}`,
    );
  }
  if (wanted("start-up")) {
    const runs = await inTurn({ help: () => measure([BIN, "--help"]), version: () => measure([BIN, "--version"]) }, 11);
    for (const [name, found] of Object.entries(runs)) {
      add("start-up", `--${name}`, ["at most", 150], 1000 * median(found.map(({ seconds }) => seconds)), " ms", "");
    }
  }
}

/** Spark's time beside DuckDB's, for a lake and a tenth of it. */
async function besideSpark(): Promise<void> {
  const benches: SparkBench[] = [];
  for (const some of [Math.round(users / 10), users]) {
    const lake = await sampleLake(cache, some, 2);
    const runs = await inTurn({ duckdb: () => rebuild(lake), spark: () => rebuild(lake, ...sparkOptions()) });
    const [day] = (
      await planDays(
        { lake, zone: ZONE, settings: DEFAULT_SETTINGS, days: { kind: "date", date: DATE } },
        { nowMs: Date.now() },
      )
    ).days;
    const events = await rowsOf(day!.files.map(({ path }) => path));
    benches.push({ millions: events / 1e6, ...runs });
  }
  process.stdout.write(values.json ? `${JSON.stringify(benches, null, 2)}\n` : sparkReport(benches, cpus().length));
}

/** Spark's time where one session or user has much of a day, within the same small memory. */
async function skewed(): Promise<void> {
  const some = Math.round(users / 10);
  const options = sparkOptions("2g", SEVERAL_TASKS);
  const lakes = [["even", await sampleLake(cache, some, 2)]];
  for (const skew of SKEWS) lakes.push([`${skew.of} ${skew.share}`, await skewedLake(cache, some, skew)]);
  const runs = await inTurn(Object.fromEntries(lakes.map(([name, lake]) => [name, () => rebuild(lake!, ...options)])));
  for (const { of, share } of SKEWS) {
    const found = runs[`${of} ${share}`]!;
    const figure = `one ${of} with ${share} of all events ÷ nobody with much`;
    const detail = `${inSeconds(found)}, even ${inSeconds(runs.even!)}`;
    add("skew", figure, ["at most", 1.5], ratio(found, runs.even!), "", detail);
  }
}

async function rowsOf(paths: readonly string[]): Promise<number> {
  const duckdb = await (await DuckDBInstance.create(":memory:")).connect();
  const found = await duckdb.runAndReadAll(
    `select count(*) from read_parquet(${sqlPaths(paths)}, hive_partitioning = false)`,
  );
  return Number(found.getRows()[0]![0]);
}

try {
  if (values.engine !== "spark") await main();
  else await (values.rows === "skew" ? skewed() : besideSpark());
} finally {
  rmSync(work, { recursive: true, force: true });
}
if (values.json && rows.length > 0) {
  process.stdout.write(`${JSON.stringify({ users, rounds, rows }, null, 2)}\n`);
} else if (rows.length > 0) {
  const width = Math.max(...rows.map(({ figure }) => figure.length));
  for (const { figure, goal, value, unit, met, detail } of rows) {
    process.stdout.write(
      `${figure.padEnd(width)}  ${`${value.toFixed(2)}${unit}`.padStart(9)}  ${(met ? "goal met" : `goal ${goal}`).padEnd(16)}  ${detail}\n`,
    );
  }
}

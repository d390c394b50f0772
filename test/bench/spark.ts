import { existsSync } from "node:fs";
import { SPARK_HOME, SPARK_VERSION, sparkSubmit } from "../spark/spark-home.ts";
import { type Measured, median } from "./process.ts";

/** One lake, rebuilt by both engines in turn. */
export interface SparkBench {
  /** Events in the read window, millions. */
  readonly millions: number;
  readonly duckdb: readonly Measured[];
  readonly spark: readonly Measured[];
}

/** Several tasks a step, however small the lake. */
export const SEVERAL_TASKS =
  "--conf spark.sql.adaptive.coalescePartitions.enabled=false --conf spark.sql.shuffle.partitions=4";

/** Options of `rebuild` for Spark on this machine's processors, with the memory that the lakes of the bench need. */
export function sparkOptions(memory = "8g", more = ""): string[] {
  if (!existsSync(SPARK_HOME)) throw new Error(`no Spark ${SPARK_VERSION} in ${SPARK_HOME}: run .ci/spark`);
  const settings = `--driver-memory ${memory} --conf spark.sql.shuffle.partitions=16 ${more}`;
  return ["--engine", "spark", "--spark-submit", sparkSubmit("local[*]", settings)];
}

/**
 * Seconds of a run as `fixed + millions × each`, by the smallest and the largest of the lakes: for a core of Spark and for DuckDB with all
 * of this machine's.
 */
export function sparkFigures(benches: readonly SparkBench[], cores: number) {
  const [small, large] = [benches[0]!, benches.at(-1)!];
  const slope = (engine: "duckdb" | "spark", of: (run: Measured) => number): number =>
    (median(large[engine].map(of)) - median(small[engine].map(of))) / (large.millions - small.millions);
  const fixed = (engine: "duckdb" | "spark", each: number): number =>
    median(small[engine].map(({ seconds }) => seconds)) - small.millions * each;
  const each = slope("duckdb", ({ seconds }) => seconds);
  // Its processors' time tells what a core does, however busy the machine is.
  const sparkEachCore = slope("spark", ({ cpuSeconds }) => cpuSeconds);
  const duckdb = { fixed: fixed("duckdb", each), each };
  const spark = { fixed: fixed("spark", sparkEachCore / cores) };
  /** From how many million events on `k` cores of Spark take less time than this machine with DuckDB; infinite: never. */
  const worthFrom = (k: number): number => {
    const gain = duckdb.each - sparkEachCore / k;
    return gain > 0 ? (spark.fixed - duckdb.fixed) / gain : Number.POSITIVE_INFINITY;
  };
  return { duckdb, spark: { fixed: spark.fixed, eachCore: sparkEachCore }, worthFrom };
}

/** The lines that `npm run bench -- --engine spark` prints. */
export function sparkReport(benches: readonly SparkBench[], cores: number): string {
  const { duckdb, spark, worthFrom } = sparkFigures(benches, cores);
  const s = (value: number) => value.toFixed(value < 10 ? 2 : 1);
  const of = (runs: readonly Measured[]) => s(median(runs.map((run) => run.seconds)));
  const lines = benches.map(
    (bench) =>
      `${s(bench.millions)} million events: DuckDB ${of(bench.duckdb)} s, Spark ${of(bench.spark)} s on ${cores} cores`,
  );
  const worth = [8, 16, 32, 64, 128].map((k) => {
    const from = worthFrom(k);
    return `${k} cores ${Number.isFinite(from) ? `from ${Math.ceil(from)} million` : "never"}`;
  });
  return [
    ...lines,
    `DuckDB on this machine: F = ${s(duckdb.fixed)} s, d = ${s(duckdb.each)} s a million events`,
    `Spark: G = ${s(spark.fixed)} s, s = ${s(spark.eachCore)} core seconds a million events`,
    `A cluster is faster from n = (G − F) ÷ (d − s÷k) million events on, with k > s÷d = ${s(spark.eachCore / duckdb.each)} cores:`,
    worth.join(", "),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

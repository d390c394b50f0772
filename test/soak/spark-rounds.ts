/** A day rebuilt on a cluster of two workers of which one is killed in the middle, against DuckDB's result. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { rebuild } from "../../src/usecases/rebuild.ts";
import { sample } from "../../src/usecases/sample.ts";
import { partitionsOf } from "../spark/compare-marts.ts";
import { SMALL, sparkSubmit } from "../spark/spark-home.ts";
import { type StandaloneCluster, startCluster } from "../spark/standalone-cluster.ts";
import { fixedEffects, optionsOf } from "../support/rebuild-options.ts";

export interface SparkFigures {
  readonly events: number;
  readonly partitions: number;
  readonly secondsWhole: number;
  /** By the stage at whose beginning a worker was killed. */
  readonly secondsWithLoss: Readonly<Record<string, number>>;
  /** Partitions that are not DuckDB's row by row, or runs that failed. */
  readonly wrong: readonly string[];
}

/** `killAt`: stages, one a run, at whose beginning one of the two workers goes. */
export async function sparkRounds(users: number, killAt: readonly string[]): Promise<SparkFigures> {
  const folder = mkdtempSync(join(tmpdir(), "presence-soak-spark-"));
  const lake = join(folder, "lake");
  const signal = new AbortController().signal;
  try {
    const { events } = await sample(
      {
        ...{ out: lake, users, days: 1, from: "2026-07-28", seed: 7, zone: "Asia/Shanghai" },
        ...{ truth: false, threads: null, memoryLimitBytes: null, tempDir: null },
      },
      { signal, progress() {} },
    );
    const given = optionsOf({ lake, out: join(folder, "duckdb"), date: "2026-07-28", zone: "Asia/Shanghai" });
    await rebuild(given, fixedEffects());
    const expected = await partitionsOf(given.out);
    const wrong: string[] = [];
    const run = async (killed: string | null): Promise<number> => {
      const out = join(folder, `spark-${killed}`);
      const started = performance.now();
      const cluster = await startCluster(join(folder, `cluster-${killed}`), 2);
      try {
        await rebuildOn(cluster, { ...given, out }, killed);
        const seconds = (performance.now() - started) / 1000;
        const actual = await partitionsOf(out);
        const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
        for (const name of names)
          if (!isDeepStrictEqual(actual[name], expected[name])) wrong.push(`${killed}: ${name}`);
        return seconds;
      } catch (error) {
        wrong.push(`${killed}: ${error instanceof Error ? error.message : String(error)}`);
        return 0;
      } finally {
        await cluster.stop();
      }
    };
    const secondsWhole = await run(null);
    const secondsWithLoss: Record<string, number> = {};
    for (const stage of killAt) secondsWithLoss[stage] = await run(stage);
    return { events, partitions: Object.keys(expected).length, secondsWhole, secondsWithLoss, wrong };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function rebuildOn(
  cluster: StandaloneCluster,
  given: Parameters<typeof rebuild>[0],
  killed: string | null,
): Promise<void> {
  let done = false;
  await rebuild(
    {
      ...given,
      engine: "spark",
      spark: { submit: sparkSubmit(cluster.master, SMALL, "--executor-memory 1g"), dir: null, emit: null },
    },
    fixedEffects({
      progress(event) {
        if (done || event.kind !== "stage" || event.stage !== killed) return;
        done = true;
        cluster.killWorker(0);
      },
    }),
  );
  if (killed !== null && !done) throw new Error(`no worker was killed: the run has no stage ${killed}`);
}

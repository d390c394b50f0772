import { join } from "node:path";
import { writeTable } from "../engine/duckdb/write-table.ts";
import type { Period } from "../plan/periods.ts";
import { defaultMemoryLimit } from "../plan/resources.ts";
import { fingerprint, type OutputFile } from "../publish/output-file.ts";
import { runTableFile, type TableFile } from "../publish/run-table.ts";
import { type DayFiles, type PeriodSummary, rollUp } from "../rollup/roll-up.ts";
import { ROLLUP_OUTPUT, rollupPath } from "../rollup/tables.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { joinFiles } from "./join-files.ts";
import { withSession } from "./mart-session.ts";
import type { RollupInput } from "./rollup-days.ts";

/** A definition's period. */
export interface Rolled {
  readonly summary: PeriodSummary;
  /** Null where nothing was written: of a range. */
  readonly file: OutputFile | null;
}

/** Where and how a period is counted. */
export interface RollUpContext {
  readonly period: Period;
  /** Private; files are written below it, at their place in the mart. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly threads: number | null;
  readonly memoryLimitBytes: number | null;
}

/** Counts each input from the files of its days' runs, which never change. */
export async function rollUpAll(
  store: ObjectStore,
  inputs: readonly Pick<RollupInput, "definition" | "days">[],
  { period, folder, signal, threads, memoryLimitBytes }: RollUpContext,
): Promise<Rolled[]> {
  const days: DayFiles[][] = [];
  for (const input of inputs) {
    const local = (run: string, file: TableFile) => runTableFile(store, run, file, folder, joinFiles);
    days.push(
      await Promise.all(
        input.days.map(async ({ day, run, userDaily, sessionDaily }) => ({
          day,
          userDaily: await local(run, userDaily),
          sessionDaily: await local(run, sessionDaily),
        })),
      ),
    );
  }
  const reads = days.flat().flatMap(({ userDaily, sessionDaily }) => [userDaily, sessionDaily]);
  const resources = { folder, threads, memoryLimitBytes: memoryLimitBytes ?? defaultMemoryLimit(), reads };
  return withSession(resources, signal, async (session) => {
    const rolled: Rolled[] = [];
    for (const [i, { definition }] of inputs.entries()) {
      signal.throwIfAborted();
      const summary = await rollUp(session, days[i]!);
      if (period.kind === "range") {
        rolled.push({ summary, file: null });
        continue;
      }
      const path = rollupPath(period, definition.name, definition.version);
      const rows = await writeTable(session, ROLLUP_OUTPUT, join(folder, path));
      rolled.push({ summary, file: { path, rows, ...(await fingerprint(join(folder, path))) } });
    }
    return rolled;
  });
}

import { join } from "node:path";
import type { Definition } from "../definitions/definition.ts";
import { definitionId } from "../definitions/resolve.ts";
import { sqlPaths } from "../engine/duckdb/reading/sql-text.ts";
import { DuckDbSession } from "../engine/duckdb/session.ts";
import { RULES } from "../pipeline/rules.ts";
import type { RebuildOptions } from "../plan/rebuild-options.ts";
import type { Commit, Part } from "../publish/commit.ts";
import { EVENTS } from "../publish/commit.ts";
import { readJson } from "../publish/json-object.ts";
import { manifestKey } from "../publish/keys.ts";
import { runTable } from "../publish/run-table.ts";
import { type Finding, finding } from "../publish/verify-files.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { dayOutputs } from "./build-day.ts";
import { countDay } from "./count-day.ts";
import { inputsFingerprint } from "./day-inputs.ts";
import type { RunManifest } from "./day-manifest.ts";
import type { DayPlan } from "./day-plan.ts";
import { joinFiles } from "./join-files.ts";
import type { OpenedDay } from "./lake-access.ts";

export interface Recomputing {
  readonly options: RebuildOptions;
  readonly definitions: readonly Definition[];
  readonly folder: string;
  readonly store: ObjectStore;
  readonly signal: AbortSignal;
}

/**
 * Counts a date anew and compares what comes out with the last commit, byte by byte; nothing is published. What Spark has written is
 * compared row by row.
 */
export async function recompute(head: Commit, opened: OpenedDay<DayPlan>, context: Recomputing): Promise<Finding[]> {
  const { options, folder, signal, store } = context;
  const { day } = opened;
  const inputs = inputsFingerprint(day);
  const comparable = (part: Part) =>
    part.inputs === inputs && part.rules === RULES && part.eventTypes.join() === options.settings.eventTypes.join();
  const findings = Object.entries(head.parts)
    .filter(([, part]) => !comparable(part))
    .map(([name]) => {
      const why = "was built from other inputs, rules or eventTypes: see presence-batch status";
      return finding(head.date, name, "not comparable", why);
    });
  const definitions = context.definitions.filter((definition) => {
    const part = head.parts[definitionId(definition)];
    return part !== undefined && comparable(part);
  });
  if (definitions.length === 0) return findings;
  const counted = await countDay(opened, definitions, options, folder, { signal, stage: () => {} });
  const { parts } = await dayOutputs({ day, definitions, counted, folder, options, runId: "recomputed" });
  for (const [name, part] of Object.entries(parts)) {
    const committed = head.parts[name];
    if (committed === undefined || (name === EVENTS && !comparable(committed))) continue;
    const manifest = await readJson<Pick<RunManifest, "engine">>(store, manifestKey(committed.run));
    if (manifest?.engine.startsWith("spark")) {
      findings.push(...(await differentRows(head.date, part, committed, { store, folder })));
      continue;
    }
    for (const file of part.files) {
      const before = committed.files.find(({ path }) => path === file.path);
      if (before?.sha256 === file.sha256) continue;
      const rows = `${file.rows} rows recomputed, ${before?.rows ?? "no"} committed`;
      findings.push(finding(head.date, file.path, "recomputed differs", rows));
    }
  }
  return findings;
}

async function differentRows(
  date: string,
  recomputed: Omit<Part, "manifest">,
  committed: Part,
  { store, folder }: Pick<Recomputing, "store" | "folder">,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { path } of recomputed.files) {
    const table = path.slice(0, path.indexOf("/"));
    const now = join(folder, path);
    const before = await runTable(store, committed, table, join(folder, "committed"), joinFiles);
    const rows = before === null ? null : await countDifferentRows(now, before, folder);
    if (rows === 0) continue;
    const detail = rows === null ? "it is not in the commit" : `${rows} rows are in one of both only`;
    findings.push(finding(date, path, "recomputed differs", detail));
  }
  return findings;
}

/** Rows that are in one of two files only, of the same columns by name. */
async function countDifferentRows(a: string, b: string, folder: string): Promise<number> {
  const session = await DuckDbSession.open({ folder, threads: 1, memoryLimitBytes: null, reads: [a, b] });
  const rows = (file: string) => `select * from read_parquet(${sqlPaths([file])}, hive_partitioning = false)`;
  const less = (one: string, other: string) => `(${rows(one)} except all ${rows(other)})`;
  try {
    const [found] = await session.rows(`select
      (select count(*) from ${less(a, b)}) + (select count(*) from ${less(b, a)}) as different`);
    return Number(found?.different);
  } finally {
    await session.close();
  }
}

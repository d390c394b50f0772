import type { Definition } from "../definitions/definition.ts";
import { otherColumnNames } from "../engine/duckdb/reading/other-columns.ts";
import type { ReadableFile } from "../engine/duckdb/reading/scan-groups.ts";
import type { InputTable } from "../engine/engine.ts";
import {
  type JobOutput,
  type JobScan,
  type JobStep,
  type SparkJob,
  sparkJob,
  tableSelect,
} from "../engine/spark/job.ts";
import { type LakeOnSpark, taskSteps } from "../engine/spark/keying.ts";
import { rawEvents } from "../engine/spark/raw-events.ts";
import { valueGate } from "../engine/spark/value-gate.ts";
import type { DayWindow } from "../plan/day-window.ts";
import type { LakeSettings } from "../plan/settings.ts";
import { recordQueries } from "./day-summary.ts";
import { columnStates, coverageTables, inputTables } from "./inputs.ts";
import { loadSql } from "./sql-files.ts";
import { stages } from "./stages.ts";
import { MART_TABLES, type MartTable } from "./tables.ts";

/** A day's good files and all that decides how they are counted. */
export interface SparkDay {
  /** Unique. */
  readonly job: string;
  readonly files: readonly (ReadableFile & { readonly relative: string })[];
  readonly window: DayWindow;
  readonly settings: LakeSettings;
  readonly definitions: readonly Definition[];
  /** The day's own UTC hours that the lake has, ms. */
  readonly hoursThere: readonly number[];
  /** Whether the result is complete as far as the files' values leave it so. */
  readonly complete: boolean;
  /** What a file that its values show to be bad means: the end of the job, or a result without it. */
  readonly onBadFile: "fail" | "quarantine";
}

/** Tables that Spark writes; that of bad files is written where they are known by name. */
export const SPARK_TABLES: readonly MartTable[] = MART_TABLES.filter(({ name }) => name !== "quarantined_files");

/** The job that counts and checks a day: the stages below sql/ as they are, and Spark's own ways of reading and keying. */
export async function dayJob(day: SparkDay): Promise<SparkJob> {
  const { files, settings, definitions } = day;
  const lake: LakeOnSpark = {
    raw: rawEvents(files, settings.timeUnit),
    files,
    otherColumns: otherColumnNames(files),
    columnStates: columnStates(definitions),
  };
  const gate = valueGate(files, settings.timeUnit);
  const { scans, steps } = stageSteps(day, lake);
  const queries = await recordQueries();
  const outputs = SPARK_TABLES.map(output);
  return sparkJob({
    job: day.job,
    tables: jobTables(day).map(tableSelect),
    gate: gate === null ? null : { scans: gate.scans, sql: gate.select, stop: day.onBadFile === "fail" },
    scans,
    steps: writtenOnce(steps, [...queries, ...outputs.map(({ sql }) => sql)]),
    answers: queries.map((sql, index) => ({ name: `answer_${index}`, sql })),
    outputs,
  });
}

/**
 * A table of a stage that one statement reads, once, is computed there: to write it would cost a job and save none. `readers`: what
 * else reads besides the steps. The engine's own tables stay: they fix keys.
 */
function writtenOnce(steps: readonly StageStep[], readers: readonly string[]): JobStep[] {
  const read = [...steps.map(({ sql }) => sql), ...readers].flatMap((sql) =>
    [...sql.replaceAll(/^--.*$/gm, "").matchAll(/\b(?:from|join)\s+(\w+)/g)].map((match) => match[1]!),
  );
  return steps.map(({ isOwn, ...step }) => {
    const times = read.filter((relation) => relation === step.relation).length;
    return step.keep === "table" && !isOwn && times < 2 ? { ...step, keep: "view" } : step;
  });
}

interface StageStep extends JobStep {
  /** The engine's. */
  readonly isOwn: boolean;
}

function jobTables(day: SparkDay): InputTable[] {
  const coverage = coverageTables(day.window, day.hoursThere, day.complete);
  return [
    ...inputTables(day.settings, day.window, day.definitions),
    ...coverage.map((table) => (table.name === "completeness" ? { ...table, name: "planned_completeness" } : table)),
    {
      name: "source_files",
      columns: [
        ["file_no", "bigint"],
        ["path", "varchar"],
      ],
      rows: day.files.map(({ fileNo, relative }) => [fileNo, relative]),
    },
  ];
}

/** `bad_files` is the driver's: the files that the gate has found to be bad. */
const COMPLETENESS = `select c.complete and b.files = 0 as complete
from planned_completeness c cross join (select count(*) as files from bad_files) b`;

function stageSteps({ settings, definitions }: SparkDay, lake: LakeOnSpark): { scans: JobScan[]; steps: StageStep[] } {
  const scans: JobScan[] = [];
  const steps: StageStep[] = [
    { stage: "readings", relation: "completeness", sql: COMPLETENESS, keep: "view", isOwn: true },
  ];
  for (const { name: stage, steps: planned } of stages(settings, definitions)) {
    for (const step of planned) {
      if (step.kind === "sql") {
        steps.push({ stage, relation: step.relation, sql: loadSql(step.file), keep: step.keep, isOwn: false });
        continue;
      }
      const made = taskSteps(step.task, lake);
      scans.push(...made.scans);
      steps.push(...made.steps.map((own) => ({ stage, ...own, isOwn: true })));
    }
  }
  return { scans, steps };
}

/** The rows of one partition after the other, each in the order of its key. */
function output({ name, per, columns, key }: MartTable): JobOutput {
  const values = columns.map(
    ([column, source, kind]) => `${kind === "time" ? timestamp(source) : source} as ${column}`,
  );
  const partition = per === "definition" ? "metric_no" : null;
  const lead = partition === null ? [] : [partition];
  // The key is in the table's own words, so rows are ordered before they are named.
  const sql = `select ${[...lead, ...values].join(", ")}
from (select * from ${name} order by ${[...lead, ...key].join(", ")})`;
  return { name, sql, partition };
}

/** Years 1 to 9999, as the DuckDB engine writes them. */
function timestamp(source: string): string {
  return `timestamp_millis(case when ${source} between -62135596800000 and 253402300799999 then ${source} end)`;
}

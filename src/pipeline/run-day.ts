import type { DayEngine } from "../engine/duckdb/day-engine.ts";
import { lifetimes } from "./lifetimes.ts";
import { loadSql } from "./sql-files.ts";
import type { Stage, Step } from "./stages.ts";
import { type Usage, UsageMeter } from "./usage-meter.ts";

/** What a step took, for the manifest and `--profile`. */
export interface StepProfile extends Usage {
  readonly stage: string;
  /** The relations that it makes. */
  readonly step: string;
  /** Rows of the tables that it reads, through views, too; those of the lake's files are not counted. */
  readonly rowsIn: number;
  /** Rows of the tables that it makes; 0 for a view. */
  readonly rowsOut: number;
}

export interface RunOptions {
  /** Told before each stage. */
  readonly onStage?: (stage: Stage, index: number) => void;
  /** Relations that are read when all stages have run; tables that neither these nor a later step reads are dropped. Null: none is. */
  readonly roots?: readonly string[] | null;
}

/** Runs the stages in order. */
export async function runStages(
  engine: DayEngine,
  stages: readonly Stage[],
  { onStage = () => {}, roots = null }: RunOptions = {},
): Promise<StepProfile[]> {
  const { lastReaders, reads } = lifetimes(stages, roots ?? []);
  const meter = new UsageMeter(engine.spillFolder);
  const profile: StepProfile[] = [];
  const rows = await engine.tableRows();
  const sum = (relations: Iterable<string>) => [...relations].reduce((total, name) => total + (rows.get(name) ?? 0), 0);
  for (const [index, stage] of stages.entries()) {
    onStage(stage, index);
    for (const step of stage.steps) {
      const rowsIn = sum(reads.get(step) ?? []);
      const { result: made, usage } = await meter.during(() => runStep(engine, step));
      if (step.kind === "sql") rows.set(step.relation, made);
      else for (const [relation, count] of await engine.tableRows()) rows.set(relation, count);
      const rowsOut = step.kind === "sql" ? made : sum(step.relations);
      profile.push({ stage: stage.name, step: stepName(step), rowsIn, rowsOut, ...usage });
      if (roots !== null) for (const relation of lastReaders.get(step) ?? []) await engine.drop(relation);
    }
  }
  return profile;
}

/** Gives the rows of the table that a file makes. */
async function runStep(engine: DayEngine, step: Step): Promise<number> {
  if (step.kind === "sql") return engine.create(step.relation, loadSql(step.file), step.keep);
  await engine.perform(step.task);
  return 0;
}

const stepName = (step: Step): string => (step.kind === "sql" ? step.relation : step.relations.join(", "));

import type { DayEngine } from "../engine/duckdb/day-engine.ts";
import { loadSql } from "./sql-files.ts";
import type { Stage, Step } from "./stages.ts";

/** What a step took, for the manifest. */
export interface StepProfile {
  readonly stage: string;
  /** The relations that it makes. */
  readonly step: string;
  readonly seconds: number;
}

/** Runs the stages in order; `onStage` is told before each one. */
export async function runStages(
  engine: DayEngine,
  stages: readonly Stage[],
  onStage: (stage: Stage, index: number) => void = () => {},
): Promise<StepProfile[]> {
  const profile: StepProfile[] = [];
  for (const [index, stage] of stages.entries()) {
    onStage(stage, index);
    for (const step of stage.steps) {
      const started = performance.now();
      await runStep(engine, step);
      profile.push({ stage: stage.name, step: stepName(step), seconds: (performance.now() - started) / 1000 });
    }
  }
  return profile;
}

export async function runStep(engine: DayEngine, step: Step): Promise<void> {
  if (step.kind === "sql") await engine.create(step.relation, loadSql(step.file), step.keep);
  else await engine.perform(step.task);
}

const stepName = (step: Step): string => (step.kind === "sql" ? step.relation : step.relations.join(", "));

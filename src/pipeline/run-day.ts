import type { DayEngine } from "../engine/duckdb/day-engine.ts";
import { loadSql } from "./sql-files.ts";
import type { Stage } from "./stages.ts";

/** What a stage took, for the manifest and the progress display. */
export interface StageProfile {
  readonly stage: string;
  readonly seconds: number;
}

/** Name of a stage for people: the relations that it makes. */
export function stageName(stage: Stage): string {
  return stage.kind === "sql" ? stage.relation : stage.relations.join(", ");
}

/** Runs the stages in order; `onStage` is told before each one. */
export async function runStages(
  engine: DayEngine,
  stages: readonly Stage[],
  onStage: (stage: Stage, index: number) => void = () => {},
): Promise<StageProfile[]> {
  const profile: StageProfile[] = [];
  for (const [index, stage] of stages.entries()) {
    onStage(stage, index);
    const started = performance.now();
    if (stage.kind === "sql") await engine.create(stage.relation, loadSql(stage.file), stage.keep);
    else await engine.perform(stage.task);
    profile.push({ stage: stageName(stage), seconds: (performance.now() - started) / 1000 });
  }
  return profile;
}

import { ON_KEYED } from "../engine/duckdb/keying.ts";
import type { EngineTask } from "../engine/engine.ts";
import { loadSql } from "./sql-files.ts";
import type { Stage, Step } from "./stages.ts";

/** Relations that the engine's own tasks read. */
const TASK_READS: Readonly<Record<EngineTask, readonly string[]>> = {
  read: [],
  key: ["readings"],
  "repeated-events": ["events", "identities"],
  "tied-ids": ["tied_events"],
  "state-values": [],
  "rejected-rows": ["owned_verdicts"],
};

/** Tables that only some of the engine's relations stand on. */
const BELOW: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  ON_KEYED.map((relation) => [relation, ["keyed"]]),
);

export interface Lifetimes {
  /** For each step, the tables that no later step reads, nor anything that comes after all of them. */
  readonly lastReaders: ReadonlyMap<Step, readonly string[]>;
  /** For each step that makes a table, the tables that it reads. */
  readonly reads: ReadonlyMap<Step, ReadonlySet<string>>;
}

/** Who reads which table, and who last. `roots`: what is read when all stages have run. */
export function lifetimes(stages: readonly Stage[], roots: readonly string[]): Lifetimes {
  const steps = stages.flatMap(({ steps }) => steps);
  const made = new Set(steps.flatMap(relationsOf));
  const viewSources = new Map<string, readonly string[]>(Object.entries(BELOW));
  const tables = new Set(["keyed"]);
  const lastRead = new Map<string, Step>();
  const reads = new Map<Step, ReadonlySet<string>>();
  for (const step of steps) {
    for (const relation of relationsOf(step)) lastRead.set(relation, step);
    const named = readsOf(step, made);
    if (step.kind === "sql" && step.keep === "view") {
      viewSources.set(step.relation, named);
      continue;
    }
    if (step.kind === "sql") tables.add(step.relation);
    const reached = reach(named, viewSources);
    reads.set(step, reached);
    for (const table of reached) lastRead.set(table, step);
  }
  for (const root of reach(roots, viewSources)) lastRead.delete(root);
  const lastReaders = new Map<Step, string[]>();
  for (const [relation, step] of lastRead) {
    if (tables.has(relation)) lastReaders.set(step, [...(lastReaders.get(step) ?? []), relation]);
  }
  return { lastReaders, reads };
}

const relationsOf = (step: Step): readonly string[] => (step.kind === "sql" ? [step.relation] : step.relations);

function readsOf(step: Step, made: ReadonlySet<string>): string[] {
  if (step.kind === "engine") return [...TASK_READS[step.task]];
  const code = loadSql(step.file).replaceAll(/^--.*$/gm, "");
  const named = [...code.matchAll(/\b(?:from|join)\s+(\w+)/g)].map((match) => match[1]!);
  return [...new Set(named)].filter((name) => made.has(name) && name !== step.relation);
}

/** The relations and all that they are made of, through views. */
function reach(relations: readonly string[], sources: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set<string>();
  const walk = (relation: string): void => {
    if (found.has(relation)) return;
    found.add(relation);
    for (const source of sources.get(relation) ?? []) walk(source);
  };
  for (const relation of relations) walk(relation);
  return found;
}

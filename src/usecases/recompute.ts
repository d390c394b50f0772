import type { Definition } from "../definitions/definition.ts";
import { definitionId } from "../definitions/resolve.ts";
import { RULES } from "../pipeline/rules.ts";
import type { RebuildOptions } from "../plan/rebuild-options.ts";
import type { Commit, Part } from "../publish/commit.ts";
import { EVENTS } from "../publish/commit.ts";
import { type Finding, finding } from "../publish/verify-files.ts";
import { dayOutputs } from "./build-day.ts";
import { countDay } from "./count-day.ts";
import { inputsFingerprint } from "./day-inputs.ts";
import type { DayPlan } from "./day-plan.ts";
import type { OpenedDay } from "./lake-access.ts";

export interface Recomputing {
  readonly options: RebuildOptions;
  readonly definitions: readonly Definition[];
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Counts a date anew and compares what comes out with the last commit, byte by byte; nothing is published. */
export async function recompute(head: Commit, opened: OpenedDay<DayPlan>, context: Recomputing): Promise<Finding[]> {
  const { options, folder, signal } = context;
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
    for (const file of part.files) {
      const before = committed.files.find(({ path }) => path === file.path);
      if (before?.sha256 === file.sha256) continue;
      const rows = `${file.rows} rows recomputed, ${before?.rows ?? "no"} committed`;
      findings.push(finding(head.date, file.path, "recomputed differs", rows));
    }
  }
  return findings;
}

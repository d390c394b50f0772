import { RULES } from "../pipeline/rules.ts";
import type { Part } from "../publish/commit.ts";
import { type BuiltInputs, type InputChanges, inputChanges, inputsFingerprint } from "./day-inputs.ts";
import type { DayPlan } from "./day-plan.ts";

/** How a definition's day stands. `unfinished`: never built, and not over yet. */
export type DayState = "missing" | "stale" | "source gone" | "current" | "incomplete" | "half-published" | "unfinished";

export type StaleReason = "input" | "rules" | "eventTypes";

export interface Judgement {
  readonly state: DayState;
  /** Why it is stale; of a day whose source is gone, what else has changed. */
  readonly reasons: readonly StaleReason[];
  /** What of the input has changed; null where nothing has. */
  readonly changes: InputChanges | null;
}

/** What `rebuild --stale` builds. */
export const isToBuild = ({ state }: Judgement): boolean => state === "missing" || state === "stale";

export interface JudgeInput {
  readonly day: DayPlan;
  /** The definition's part of the date's last commit; where there is none, that of its events, if any. */
  readonly part: Part | undefined;
  readonly events: Part | undefined;
  readonly eventTypes: readonly string[];
  readonly published: boolean;
  /** What the run of a part read; null where its manifest is lost. */
  builtInputs(part: Part): Promise<BuiltInputs | null>;
}

export async function judge(input: JudgeInput): Promise<Judgement> {
  const { day, part, events } = input;
  // A new definition of a date whose files are gone would be counted from what is left of them.
  const source = part ?? events;
  const changes = source === undefined ? null : await changesSince(input, source);
  if (changes !== null && changes.gone.length > 0) return { state: "source gone", reasons: [], changes };
  if (part === undefined) return { state: day.unfinished ? "unfinished" : "missing", reasons: [], changes: null };
  const reasons: StaleReason[] = [
    ...(part.inputs === inputsFingerprint(day) ? [] : (["input"] as const)),
    ...(part.rules < RULES ? (["rules"] as const) : []),
    ...(part.eventTypes.join() === input.eventTypes.join() ? [] : (["eventTypes"] as const)),
  ];
  if (reasons.length > 0) return { state: "stale", reasons, changes };
  if (!input.published) return { state: "half-published", reasons, changes };
  return { state: part.complete ? "current" : "incomplete", reasons, changes };
}

async function changesSince({ day, builtInputs }: JudgeInput, part: Part): Promise<InputChanges | null> {
  if (part.inputs === inputsFingerprint(day)) return null;
  const built = await builtInputs(part);
  return built === null ? null : inputChanges(day, built);
}

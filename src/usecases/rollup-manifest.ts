import { definitionId } from "../definitions/resolve.ts";
import { timeZoneDataVersion } from "../plan/days.ts";
import type { Period } from "../plan/periods.ts";
import { engineVersion, toolVersion } from "../versions.ts";
import type { StoredDefinition } from "./mart-access.ts";
import type { Rolled } from "./rollup-computation.ts";
import type { RollupDay, RollupInput } from "./rollup-days.ts";

/** What verify and status read of a rollup's manifest; the rest is for people. */
export interface RollupManifest {
  readonly run_id: string;
  readonly period: Period;
  readonly definitions: readonly StoredDefinition[];
  /** By definition: what it was made of. */
  readonly inputs: Readonly<
    Record<string, { readonly days: readonly RollupDay[]; readonly missing: readonly string[] }>
  >;
}

interface ManifestInput {
  readonly runId: string;
  readonly nowMs: number;
  readonly zone: string;
  readonly period: Period;
  readonly inputs: readonly RollupInput[];
  readonly rolled: readonly Rolled[];
  readonly seconds: number;
}

/** Everything that a rollup's numbers depend on, and what it came to. */
export function rollupManifest({ runId, nowMs, zone, period, inputs, rolled, seconds }: ManifestInput): RollupManifest {
  const byId = <T>(value: (input: RollupInput, i: number) => T): Record<string, T> =>
    Object.fromEntries(inputs.map((input, i) => [definitionId(input.definition), value(input, i)]));
  const manifest = {
    run_id: runId,
    created_at: new Date(nowMs).toISOString(),
    tool: toolVersion(),
    engine: engineVersion(),
    rules: inputs[0]!.part.rules,
    time_zone_data: timeZoneDataVersion(),
    zone,
    period,
    definitions: inputs.map(({ definition }) => definition),
    complete: inputs.every(({ part }) => part.complete),
    inputs: byId(({ days, missing }) => ({ days, missing })),
    summaries: byId((_, i) => rolled[i]!.summary),
    outputs: rolled.map(({ file }) => file),
    seconds,
  };
  return manifest;
}

import { usageError } from "../errors.ts";
import { formatDuration } from "../plan/duration.ts";
import type { LakeSettings } from "../plan/settings.ts";
import type { Problem } from "../plan/yaml-source.ts";
import type { Definition } from "./definition.ts";

export type Durations = Pick<
  Definition,
  "gapMaxMs" | "gapCreditMs" | "tailMs" | "idleMs" | "maxShiftMs" | "maxSessionMs"
>;

/** The durations of a definition that are out of the bounds that its own gap and the lake's settings give. */
export function boundProblems(durations: Durations, settings: LakeSettings): Problem[] {
  const { gapMaxMs, gapCreditMs, tailMs, idleMs, maxShiftMs, maxSessionMs } = durations;
  const { lookbackMs, lookaheadMs } = settings;
  const rules: [path: string[], value: number | null, limit: number, limitName: string][] = [
    [["gap", "credit"], gapCreditMs, gapMaxMs, "gap.max"],
    [["gap", "max"], gapMaxMs, lookaheadMs, "the lake's lookahead"],
    [["gap", "max"], gapMaxMs, lookbackMs, "the lake's lookback"],
    [["tail"], tailMs, lookbackMs, "the lake's lookback"],
    [["idle"], idleMs, lookbackMs, "the lake's lookback"],
    [["maxShift"], maxShiftMs, lookaheadMs, "the lake's lookahead"],
    [["maxSession"], maxSessionMs, lookbackMs, "the lake's lookback"],
  ];
  return rules.flatMap(([path, value, limit, limitName]) =>
    value === null || value <= limit
      ? []
      : [
          {
            path,
            message: `${formatDuration(value)} is more than ${limitName} (${formatDuration(limit)})`,
            hint: limitName === "gap.max" ? undefined : `lower it, or give the mart a larger ${limitName.slice(11)}`,
          },
        ],
  );
}

/** Refuses (usage error) a definition that a mart with these settings cannot compute. */
export function checkBounds(definition: Definition, settings: LakeSettings): void {
  const first = boundProblems(definition, settings)[0];
  if (!first) return;
  const key = first.path.join(".");
  throw usageError(`${definition.name}@${definition.version}: ${key}: ${first.message}`, first.hint, { key });
}

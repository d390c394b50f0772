import type { Counts, DriftLimits, Gate, Scope, Totals, Verdict } from "./drift-result.ts";

/** The worst of them; pass where there is none. */
export function worstVerdict(gates: readonly Pick<Gate, "verdict">[]): Verdict {
  const found = new Set(gates.map(({ verdict }) => verdict));
  return found.has("fail") ? "fail" : found.has("warn") ? "warn" : "pass";
}

/** Holds the figures against the thresholds: above one it fails, above half of one it warns. Exactly on it passes. */
export function gatesOf(scope: Scope, totals: Totals | null, counts: Counts, limits: DriftLimits): Gate[] {
  const rows = ROWS[scope];
  const ofRows = (count: number) => (counts.compared === 0 ? 0 : count / counts.compared);
  const total: Gate[] =
    totals === null
      ? []
      : [
          judged({
            gate: "total",
            says: "difference of the totals, of the offline total",
            measured: shareOf(withinTolerance(totals.difference, scope, limits), totals.offline),
            limit: limits.total,
          }),
        ];
  const over = judged({
    gate: "over",
    says: `${rows} whose difference is over, of all`,
    measured: ofRows(counts.over),
    limit: limits.rowsOver,
  });
  const nearShare = ofRows(counts.near);
  const near: Gate = {
    gate: "near",
    says: `${rows} beyond half of what counts as over, of all`,
    measured: nearShare,
    limit: limits.rowsOver,
    verdict: nearShare > limits.rowsOver ? "warn" : "pass",
  };
  return [...total, over, ...(scope === "instant" ? [] : [near])];
}

const ROWS: Readonly<Record<Scope, string>> = {
  users: "users",
  dimensions: "values",
  minutes: "minutes",
  instant: "users",
};

const withinTolerance = (difference: number, scope: Scope, { toleranceMs }: DriftLimits): number =>
  (scope === "users" || scope === "dimensions") && Math.abs(difference) <= toleranceMs ? 0 : difference;

/** Null: there is something, and nothing that it could be a share of. */
function shareOf(difference: number, base: number): number | null {
  if (difference === 0) return 0;
  return base === 0 ? null : Math.abs(difference) / base;
}

function judged(gate: Omit<Gate, "verdict">): Gate {
  const { measured, limit } = gate;
  const verdict = measured === null || measured > limit ? "fail" : measured > limit / 2 ? "warn" : "pass";
  return { ...gate, verdict };
}

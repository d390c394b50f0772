import type { DriftResult, Scope, Totals } from "../drift/drift-result.ts";
import type { ReasonId } from "../drift/reasons.ts";
import type { DayRequest } from "../plan/days.ts";
import { resolveDays } from "../plan/days.ts";
import { readComparisons, recordComparison } from "../publish/drift-history.ts";
import { readMart } from "../publish/mart-identity.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { type MartEffects, martStore } from "./mart-access.ts";
import { noMart } from "./open-mart.ts";

/** A comparison as the mart's history keeps it: what the trend is made of, and no user. */
export interface PastDrift {
  readonly day: string;
  readonly comparedAt: string;
  readonly metric: string;
  readonly version: number;
  readonly scope: Scope;
  readonly at: string | null;
  readonly runId: string;
  /** The realtime file's name, without its folder. */
  readonly file: string;
  readonly verdict: DriftResult["verdict"];
  readonly notComparable: string | null;
  readonly totals: Totals | null;
  readonly compared: number;
  readonly over: number;
  /** Of the total, most first. */
  readonly reasons: readonly { readonly reason: ReasonId; readonly share: number }[];
}

/** Adds a comparison to its date's history and gives its key. */
export function recordDrift(store: ObjectStore, result: DriftResult): Promise<string> {
  const { day, comparedAt, metric, version, scope, at, runId, verdict, notComparable, compared, reasons } = result;
  const past: PastDrift = {
    ...{ day, comparedAt, metric, version, scope, at, runId },
    file: result.realtime.file.split(/[\\/]/).at(-1)!,
    ...{ verdict, notComparable },
    totals: compared?.totals ?? null,
    compared: compared?.counts.compared ?? 0,
    over: compared?.counts.over ?? 0,
    reasons: (reasons?.total.reasons ?? []).map(({ reason, share }) => ({ reason, share })),
  };
  return recordComparison(store, day, past);
}

export interface DriftHistoryOptions {
  readonly out: string;
  /** `none`: all days. */
  readonly days: DayRequest;
  /** `name` or `name@version`; null for all. */
  readonly metric: string | null;
}

export interface DriftHistory {
  readonly out: string;
  readonly zone: string;
  /** By day, then in the order in which they were made. */
  readonly comparisons: readonly PastDrift[];
}

/** The comparisons that were made so far. */
export async function driftHistory(options: DriftHistoryOptions, effects: MartEffects): Promise<DriftHistory> {
  const store = martStore(options.out, effects);
  const mart = await readMart(store);
  if (!mart) throw noMart(options.out);
  const { zone } = mart.identity;
  const days = options.days.kind === "none" ? null : new Set(resolveDays(options.days, zone, effects.nowMs));
  const all = await readComparisons<PastDrift>(store, days);
  const [name, version] = options.metric?.split("@") ?? [];
  const comparisons = all.filter(
    (past) =>
      (name === undefined || past.metric === name) && (version === undefined || past.version === Number(version)),
  );
  return { out: options.out, zone, comparisons };
}

import { compareSides } from "../diff/compare-sides.ts";
import type { DiffResult } from "../diff/diff-result.ts";
import type { Reference } from "../diff/reference.ts";
import { inputError } from "../errors.ts";
import { type DayRequest, resolveDays } from "../plan/days.ts";
import { defaultMemoryLimit } from "../plan/resources.ts";
import { readMart } from "../publish/mart-identity.ts";
import { withPrivateFolder } from "../publish/private-folder.ts";
import { openSide, type SideOptions, sideFiles } from "./diff-sides.ts";
import { type MartEffects, martStore } from "./mart-access.ts";
import { withSession } from "./mart-session.ts";
import { noMart } from "./open-mart.ts";

export interface DiffOptions extends Omit<SideOptions, "days"> {
  readonly days: DayRequest;
  readonly base: Reference;
  readonly head: Reference;
  readonly toleranceMs: number;
  /** Share (0 to 1) of the base total that it may change by; null for no limit. */
  readonly maxTotalChange: number | null;
  /** How many of the largest changes are told. */
  readonly movers: number;
}

/** Compares two definitions, two commits of a date, or two marts. Publishes nothing. */
export async function diff(options: DiffOptions, effects: MartEffects): Promise<DiffResult> {
  const known = await readMart(martStore(options.base.mart ?? options.out, effects));
  if (!known) throw noMart(options.base.mart ?? options.out);
  const { zone } = known.identity;
  const days = resolveDays(options.days, zone, effects.nowMs);
  return withPrivateFolder(options.tempDir, async (folder) => {
    const base = await openSide(options.base, { ...options, days }, { folder, effects });
    const head = await openSide(options.head, { ...options, days }, { folder, effects });
    if (head.mart.identity.zone !== base.mart.identity.zone) {
      const zones = `${base.side.asked} has days of ${base.mart.identity.zone}, ${head.side.asked} of ${head.mart.identity.zone}`;
      throw inputError(`not comparable: ${zones}`, "Compare marts of one time zone.");
    }
    const [before, after] = [await sideFiles(base, days, folder), await sideFiles(head, days, folder)];
    const reads = [before, after].flatMap(({ userDaily, dailySummary }) => [...userDaily, ...dailySummary]);
    const memoryLimitBytes = options.memoryLimitBytes ?? defaultMemoryLimit();
    const session = { folder, threads: options.threads, memoryLimitBytes, reads };
    const compared = await withSession(session, effects.signal, (opened) =>
      compareSides(opened, before, after, options),
    );
    return {
      ...{ days, zone, base: base.side, head: head.side, toleranceMs: options.toleranceMs },
      ...compared,
      gate: gateOf(options.maxTotalChange, compared.totals.onlineMs),
      notes: [...base.notes, ...head.notes, ...before.incomplete, ...after.incomplete],
    };
  });
}

function gateOf(limit: number | null, { base, change }: DiffResult["totals"]["onlineMs"]): DiffResult["gate"] {
  if (limit === null) return null;
  return { limit, verdict: Math.abs(change) > limit * base ? "fail" : "pass" };
}

import { createInputTable } from "../engine/duckdb/input-table.ts";
import type { DuckDbSession } from "../engine/duckdb/session.ts";
import { gatheredFiles, gatherRows } from "../explain/gather-rows.ts";
import type { FileAccess } from "../lake/file-access.ts";
import type { ProbedFile } from "../lake/probed-file.ts";
import type { DayWindow } from "../plan/day-window.ts";
import { type AddedUp, addUp } from "./added-up.ts";
import { reasonSays, type SaidOf } from "./reason-words.ts";
import type { Reason, ReasonId, Reasons } from "./reasons.ts";
import { countBasis, countVariation, prepareCounts } from "./recount.ts";
import { type CountBasis, variations } from "./variations.ts";

/** A user whose difference is looked into. */
export interface Suspect {
  readonly userId: string;
  /** In ms; 0 where that side has none. */
  readonly offlineMs: number;
  readonly realtimeMs: number;
  readonly isWorst: boolean;
  /** One of those that stand for the total. */
  readonly isSample: boolean;
}

export interface Investigation extends Omit<CountBasis, "lake"> {
  readonly suspects: readonly Suspect[];
  /** How many users differ at all. */
  readonly differing: number;
  /** The day of the same date in UTC; null where that is no suspicion. */
  readonly utc: DayWindow | null;
  readonly signal: AbortSignal;
}

/** Counts the suspects' rows again with one correction left out at a time, and tells what of their differences that explains. */
export async function findReasons(
  session: DuckDbSession,
  { good, access }: { readonly good: readonly ProbedFile[]; readonly access: FileAccess },
  { suspects, differing, utc, signal, ...by }: Investigation,
): Promise<Reasons> {
  await createInputTable(session, {
    name: "suspects",
    columns: [["id", "varchar"]],
    rows: suspects.map(({ userId }) => [userId]),
  });
  await gatherRows(session, good, by.settings, { relation: "suspects" }, access);
  const basis: CountBasis = { ...by, lake: await gatheredFiles(session, good, by.settings, access) };
  await prepareCounts(session);
  const added = await countBasis(session, basis, () => addUp(session));
  for (const variation of variations(basis, utc)) {
    signal.throwIfAborted();
    await countVariation(session, basis, variation);
  }
  const counts = await readCounts(session);
  const said = { zone: by.window.zone, gapMaxMs: by.definition.gapMaxMs, heartbeatMs: added.heartbeatMs };
  const own = counts.get("own") ?? new Map<string, number>();
  const sample = suspects.filter(({ isSample }) => isSample);
  const other = suspects.filter(({ userId, offlineMs }) => (own.get(userId) ?? 0) !== offlineMs).length;
  const ofTotal = weigh(sample, counts, added, said);
  // What explains two users' differences alike is most likely what explains all.
  const rank = ({ reason }: Reason) => ofTotal.findIndex((each) => each.reason === reason) >>> 0;
  const ofUser = (suspect: Suspect) =>
    weigh([suspect], counts, added, said).sort((a, b) => b.explainedMs - a.explainedMs || rank(a) - rank(b));
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
  return {
    total: {
      users: sample.length,
      differing,
      offlineMs: sum(sample.map(({ userId }) => own.get(userId) ?? 0)),
      realtimeMs: sum(sample.map(({ realtimeMs }) => realtimeMs)),
      differenceMs: sum(sample.map(({ userId, realtimeMs }) => Math.abs(realtimeMs - (own.get(userId) ?? 0)))),
      reasons: ofTotal,
    },
    users: suspects
      .filter(({ isWorst }) => isWorst)
      .map((suspect) => ({
        userId: suspect.userId,
        offlineMs: own.get(suspect.userId) ?? 0,
        realtimeMs: suspect.realtimeMs,
        reasons: ofUser(suspect),
      })),
    notes:
      other === 0
        ? []
        : [
            `the lake gives other figures than the mart for ${other} of ${suspects.length} users: rebuild the day (see presence-batch status)`,
          ],
  };
}

type CountsByReason = ReadonlyMap<string, ReadonlyMap<string, number>>;

async function readCounts(session: DuckDbSession): Promise<CountsByReason> {
  const counts = new Map<string, Map<string, number>>();
  const rows = await session.rows("select c.* from counted c semi join suspects s on s.id = c.user_id");
  for (const { reason, user_id, online_ms } of rows) {
    const of = counts.get(String(reason)) ?? new Map<string, number>();
    of.set(String(user_id), Number(online_ms));
    counts.set(String(reason), of);
  }
  // One without any time counts, too: it may be what the realtime layer says.
  for (const { reason } of await session.rows("select distinct reason from counted")) {
    if (!counts.has(String(reason))) counts.set(String(reason), new Map());
  }
  return counts;
}

/** The reasons that make the users' differences smaller in sum, most first. */
function weigh(users: readonly Suspect[], counts: CountsByReason, { items }: AddedUp, said: SaidOf): Reason[] {
  const own = counts.get("own") ?? new Map<string, number>();
  const of = (times: ReadonlyMap<string, number>, { userId }: Suspect) => times.get(userId) ?? 0;
  const size = users.reduce((sum, user) => sum + Math.abs(user.realtimeMs - of(own, user)), 0);
  const reasons = [...counts].flatMap(([name, times]): Reason[] => {
    if (name === "own") return [];
    const reason = name as ReasonId;
    let [effectMs, left] = [0, 0];
    for (const user of users) {
      effectMs += of(times, user) - of(own, user);
      left += Math.abs(user.realtimeMs - of(times, user));
    }
    const explainedMs = size - left;
    if (explainedMs <= 0) return [];
    const counted = users.map(({ userId }) => items.get(userId)?.[reason]);
    const itemCount = counted.some((count) => count !== undefined)
      ? counted.reduce<number>((sum, count) => sum + (count ?? 0), 0)
      : null;
    const says = reasonSays(reason, effectMs, itemCount, said);
    return [{ reason, says, effectMs, explainedMs, share: explainedMs / size, items: itemCount }];
  });
  return reasons.sort((a, b) => b.explainedMs - a.explainedMs);
}

import { EXIT, inputError, PresenceError, usageError } from "../errors.ts";
import { checkDay, resolveDays } from "../plan/days.ts";
import { isPeriodName, namedPeriod } from "../plan/periods.ts";
import { type Commit, type Part, readCommit } from "../publish/commit.ts";
import { commitDate } from "../publish/commit-date.ts";
import { runKey } from "../publish/keys.ts";
import { readMart } from "../publish/mart-identity.ts";
import { openDate } from "../publish/publish-run.ts";
import { newRunId } from "../publish/run-id.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { type MartEffects, martStore } from "./mart-access.ts";
import { noMart } from "./open-mart.ts";

export interface RollbackOptions {
  readonly out: string;
  readonly date: string;
  /** `foreground@1`, or `foreground`: the newest version that the date has. */
  readonly metric: string;
  /** The commit whose result is to be published again. */
  readonly to: number;
}

export interface RollbackResult {
  readonly out: string;
  readonly date: string;
  readonly metric: string;
  readonly to: number;
  /** The run whose files are published now. */
  readonly run: string;
  /** The new commit; null where that run was published already. */
  readonly commit: number | null;
  readonly replaced: readonly string[];
}

/** Publishes a definition's result of an earlier commit again: a new commit, which a later rebuild follows as any other. */
export async function rollback(options: RollbackOptions, effects: MartEffects): Promise<RollbackResult> {
  const store = martStore(options.out, effects);
  await store.assertUsable();
  const mart = await readMart(store);
  if (mart === null) throw noMart(options.out);
  const date = isPeriodName(options.date)
    ? namedPeriod(options.date).name
    : resolveDays({ kind: "date", date: checkDay(options.date) }, mart.identity.zone, effects.nowMs)[0]!;
  const by = `${newRunId(effects.nowMs)}-rollback`;
  const base = await openDate(store, date, by, effects.nowMs);
  if (base === null) throw usageError(`${date} was never built in ${options.out}`, "See presence-batch status.");
  const metric = partName(base, options.metric);
  const part = (await earlier(store, base, options.to)).parts[metric];
  if (part === undefined) throw usageError(`commit ${options.to} of ${date} has no ${metric}`, listOf(base));
  const target = part;
  const committed = await commitDate(
    store,
    { date, by, reason: "rollback", nowMs: effects.nowMs },
    (head) => {
      const now = head?.parts[metric];
      if (now?.run === target.run) return null;
      if (now?.run !== base.parts[metric]?.run) throw outrun(date, metric);
      return { parts: { ...head?.parts, [metric]: target }, changed: [metric] };
    },
    () => assertThere(store, date, options.to, target),
  );
  return {
    out: options.out,
    date,
    metric,
    to: options.to,
    run: target.run,
    commit: committed?.commit.number ?? null,
    replaced: committed?.replaced ?? [],
  };
}

function partName(head: Commit, metric: string): string {
  if (metric.includes("@") && head.parts[metric]) return metric;
  const versions = Object.keys(head.parts)
    .filter((name) => name.startsWith(`${metric}@`))
    .sort((a, b) => Number(a.split("@")[1]) - Number(b.split("@")[1]));
  const newest = versions.at(-1);
  if (newest === undefined) throw usageError(`${head.date} has no ${metric}`, listOf(head));
  return newest;
}

const listOf = (head: Commit): string =>
  `It has ${Object.keys(head.parts)
    .filter((name) => name.includes("@"))
    .join(", ")}, and commits 1 to ${head.number}.`;

async function earlier(store: ObjectStore, head: Commit, number: number): Promise<Commit> {
  const commit = number <= head.number ? await readCommit(store, head.date, number) : null;
  if (commit === null) throw usageError(`${head.date} has no commit ${number}`, listOf(head));
  return commit;
}

/** An old run may be gone, or damaged: then it must not be committed again. */
async function assertThere(store: ObjectStore, date: string, to: number, part: Part): Promise<void> {
  for (const file of part.files) {
    const found = await store.digest(runKey(part.run, file.path));
    if (found?.sha256 === file.sha256) continue;
    throw inputError(
      `${date} cannot go back to commit ${to}: ${runKey(part.run, file.path)} is ${found === null ? "gone" : "damaged"}`,
      found === null ? "gc has removed it; choose a later commit, or rebuild the day." : "Rebuild the day.",
    );
  }
}

const outrun = (date: string, metric: string) =>
  new PresenceError(EXIT.outrun, `another run has published ${metric} of ${date} meanwhile: nothing was published`, {
    hint: "Look at it, and run again if it still is to go back.",
  });

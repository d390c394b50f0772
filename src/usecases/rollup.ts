import { join } from "node:path";
import { definitionId } from "../definitions/resolve.ts";
import { type Period, type PeriodRequest, resolvePeriod } from "../plan/periods.ts";
import { readMart } from "../publish/mart-identity.ts";
import { withPrivateFolder } from "../publish/private-folder.ts";
import { type FinishedRun, openDate, publishRun } from "../publish/publish-run.ts";
import { newRunId } from "../publish/run-id.ts";
import type { PeriodSummary } from "../rollup/roll-up.ts";
import { type MartEffects, martStore } from "./mart-access.ts";
import { noMart } from "./open-mart.ts";
import { rollUpAll } from "./rollup-computation.ts";
import { type RollupInput, type RollupRequest, rollupInputs } from "./rollup-days.ts";
import { rollupManifest } from "./rollup-manifest.ts";

/** Which period of which mart. */
export interface RollupOptions extends Pick<RollupRequest, "metrics" | "missingDays"> {
  readonly out: string;
  readonly period: PeriodRequest;
  readonly threads: number | null;
  readonly memoryLimitBytes: number | null;
  readonly tempDir: string | null;
}

/** What a period came to. Times are ms. */
export interface RollupResult {
  readonly out: string;
  readonly zone: string;
  readonly period: Omit<Period, "days"> & { readonly from: string; readonly to: string; readonly days: number };
  readonly metrics: readonly MetricRollup[];
  /** Null: a range of days, which is told and not published. */
  readonly published: {
    readonly runId: string;
    readonly commit: number | null;
    readonly replaced: readonly string[];
  } | null;
}

/** A definition's period, and what it lacks. */
export interface MetricRollup extends PeriodSummary {
  readonly metric: string;
  readonly version: number;
  readonly complete: boolean;
  readonly missingDays: readonly string[];
  /** Days that lack a part of their input. */
  readonly incompleteDays: readonly string[];
}

/** Takes a period's days together, by user and in figures; weeks and months are published as days are. */
export async function rollup(options: RollupOptions, effects: MartEffects): Promise<RollupResult> {
  const started = performance.now();
  const store = martStore(options.out, effects);
  const mart = await readMart(store);
  if (mart === null) throw noMart(options.out);
  const { zone } = mart.identity;
  const period = resolvePeriod(options.period, zone, effects.nowMs);
  const inputs = await rollupInputs(store, { ...options, period, zone });
  const runId = `${newRunId(effects.nowMs)}-${period.name}`;
  const isPublished = period.kind !== "range";
  if (isPublished) await store.assertUsable();
  const base = isPublished ? await openDate(store, period.name, runId, effects.nowMs) : null;
  return withPrivateFolder(options.tempDir, async (folder) => {
    const rolled = await rollUpAll(store, inputs, { ...options, period, folder, signal: effects.signal });
    const result = {
      out: options.out,
      zone,
      period: toldPeriod(period),
      metrics: inputs.map((input, i) => told(input, rolled[i]!.summary)),
    };
    if (!isPublished) return { ...result, published: null };
    const parts = Object.fromEntries(
      inputs.map(({ definition, part }, i): [string, FinishedRun["parts"][string]] => [
        definitionId(definition),
        { run: runId, ...part, files: [rolled[i]!.file!] },
      ]),
    );
    const seconds = (performance.now() - started) / 1000;
    const manifest = rollupManifest({ runId, nowMs: effects.nowMs, zone, period, inputs, rolled, seconds });
    const run = {
      date: period.name,
      reason: "rollup" as const,
      runId,
      manifest,
      parts,
      localFile: (path: string) => join(folder, path),
    };
    effects.signal.throwIfAborted();
    const committed = await publishRun(store, run, base, effects.nowMs, async () => effects.signal.throwIfAborted());
    return {
      ...result,
      published: { runId, commit: committed?.commit.number ?? null, replaced: committed?.replaced ?? [] },
    };
  });
}

const toldPeriod = ({ kind, name, days }: Period): RollupResult["period"] => ({
  kind,
  name,
  from: days[0]!,
  to: days.at(-1)!,
  days: days.length,
});

const told = ({ definition, part, missing, days }: RollupInput, summary: PeriodSummary): MetricRollup => ({
  metric: definition.name,
  version: definition.version,
  ...summary,
  complete: part.complete,
  missingDays: missing,
  incompleteDays: days.filter(({ complete }) => !complete).map(({ day }) => day),
});

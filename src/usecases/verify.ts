import { MART_TABLES } from "../pipeline/tables.ts";
import type { DayRequest } from "../plan/days.ts";
import { resolveDays } from "../plan/days.ts";
import { isPeriodName, namedPeriod } from "../plan/periods.ts";
import type { RebuildOptions } from "../plan/rebuild-options.ts";
import { defaultMemoryLimit } from "../plan/resources.ts";
import { type Commit, committedDates } from "../publish/commit.ts";
import { isPublished, republish } from "../publish/converge.ts";
import { dateOf } from "../publish/keys.ts";
import { readMart } from "../publish/mart-identity.ts";
import { withPrivateFolder } from "../publish/private-folder.ts";
import { newRunId } from "../publish/run-id.ts";
import { DateVerifier, type Extent, type Finding, finding } from "../publish/verify-files.ts";
import { ROLLUP_TABLES } from "../rollup/tables.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { planDays } from "./day-plan.ts";
import { lakeStore, withDays } from "./lake-access.ts";
import { type MartEffects, martStore } from "./mart-access.ts";
import { type MartView, noDays, noMart, type OpenedMart, openMart } from "./open-mart.ts";
import { recompute } from "./recompute.ts";
import { verifyData } from "./verify-data.ts";
import { verifyRollup } from "./verify-rollup.ts";

export interface VerifyOptions extends MartView {
  /** Which dates; `none` for all that the mart has. */
  readonly days: DayRequest;
  /** Run C1–C8 over the published tables. */
  readonly data: boolean;
  /** Publish again what is not as committed. */
  readonly repair: boolean;
  /** Count each date again from this lake, if any, and compare. */
  readonly recompute: string | null;
  readonly resources: Pick<RebuildOptions, "threads" | "memoryLimitBytes" | "tempDir">;
}

export interface VerifyEffects extends MartEffects {
  /** Told before each date. */
  progress(date: string, index: number, of: number): void;
}

export interface VerifyResult {
  readonly out: string;
  readonly dates: number;
  readonly files: number;
  readonly bytes: number;
  readonly findings: readonly Finding[];
}

/** Reads every byte of the asked dates and compares it with what was committed. */
export async function verify(options: VerifyOptions, effects: VerifyEffects): Promise<VerifyResult> {
  const store = martStore(options.out, effects);
  if ((await readMart(store)) === null) throw noMart(options.out);
  if (options.repair) await store.assertUsable();
  const mart = await openMart(store, options);
  const dates = await askedDates(store, options, mart, effects.nowMs);
  const extent: Extent = { files: 0, bytes: 0 };
  const findings: Finding[] = [];
  const known = new Set<string>();
  for (const [index, [date, numbers]] of dates.entries()) {
    effects.signal.throwIfAborted();
    effects.progress(date, index, dates.length);
    const { findings: found, head } = await new DateVerifier(store, date, extent).verify(numbers);
    findings.push(...(options.repair ? await repaired(store, head, found, effects.nowMs) : found));
    for (const file of Object.values(head?.parts ?? {}).flatMap((part) => part.files)) known.add(file.path);
    if (head === null || !(options.data || options.recompute)) continue;
    findings.push(...(await verifyContent(store, head, mart, options, effects)));
  }
  findings.push(...(await strangers(store, new Set(dates.map(([date]) => date)), known)));
  return { out: options.out, dates: dates.length, ...extent, findings };
}

async function askedDates(store: ObjectStore, { days, out }: VerifyOptions, { zone }: OpenedMart, nowMs: number) {
  const all = [...(await committedDates(store))];
  if (days.kind === "none") return all;
  const resolved = resolveDays(days, zone, nowMs);
  const asked = new Set(resolved);
  const daysOf = (date: string) => (isPeriodName(date) ? namedPeriod(date).days : [date]);
  const there = all.filter(([date]) => daysOf(date).some((day) => asked.has(day)));
  if (there.length === 0) throw noDays(out, resolved);
  return there;
}

/** Publishes the last commit again where its run is sound; tells of each finding whether that has mended it. */
async function repaired(
  store: ObjectStore,
  head: Commit | null,
  found: readonly Finding[],
  nowMs: number,
): Promise<Finding[]> {
  if (head === null) return [...found];
  await republish(store, head, `${newRunId(nowMs)}-repair`, nowMs);
  const files = new Map(Object.values(head.parts).flatMap((part) => part.files.map((file) => [file.path, file])));
  return Promise.all(
    found.map(async (each) => {
      const file = files.get(each.path);
      return file === undefined ? each : { ...each, repaired: await isPublished(store, file) };
    }),
  );
}

function verifyContent(
  store: ObjectStore,
  head: Commit,
  mart: OpenedMart,
  options: VerifyOptions,
  effects: VerifyEffects,
): Promise<Finding[]> {
  const { threads, tempDir, memoryLimitBytes } = options.resources;
  const { zone, settings, definitions } = mart;
  return withPrivateFolder(tempDir, async (folder) => {
    const limit = memoryLimitBytes ?? defaultMemoryLimit();
    const { signal } = effects;
    if (isPeriodName(head.date)) return verifyRollup(store, head, { folder, threads, memoryLimitBytes: limit, signal });
    const findings = options.data
      ? await verifyData(head, { store, zone, settings, definitions, folder, threads, memoryLimitBytes: limit })
      : [];
    if (options.recompute === null) return findings;
    const { out, recompute: lake } = options;
    const rebuild: RebuildOptions = { ...RECOMPUTING, ...options.resources, zone, settings, lake, out };
    const plan = await planDays({ ...rebuild, days: { kind: "date", date: head.date } }, effects);
    const context = { options: rebuild, definitions, folder, store, signal: effects.signal };
    const where = { tempDir, signal: effects.signal };
    const recomputed = await withDays(plan.days, lakeStore(lake, effects), where, (open) =>
      recompute(head, open(plan.days[0]!), context),
    );
    return [...findings, ...recomputed];
  });
}

/** What a published result had room for must not fail its recomputing. */
const RECOMPUTING = {
  days: { kind: "none" },
  stale: false,
  metrics: [],
  onBadFile: "quarantine",
  missingHours: 48,
  allowUnfinished: true,
  maxQuarantined: null,
  dryRun: false,
  force: false,
  engine: "duckdb",
  json: false,
  profile: false,
  debug: false,
} as const;

/** Parquet files among the published ones, of the verified dates, that no commit knows: readers would count them. */
async function strangers(
  store: ObjectStore,
  dates: ReadonlySet<string>,
  known: ReadonlySet<string>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name } of [...MART_TABLES, ...ROLLUP_TABLES]) {
    for (const { key } of await store.list(`${name}/`)) {
      const date = dateOf(key);
      if (date === null || !dates.has(date) || known.has(key) || !key.endsWith(".parquet")) continue;
      findings.push(finding(date, key, "not of the mart", "no commit knows it, but readers would count it"));
    }
  }
  return findings;
}

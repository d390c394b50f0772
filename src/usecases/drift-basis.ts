import { definitionId } from "../definitions/resolve.ts";
import type { Scope } from "../drift/drift-result.ts";
import type { Declared } from "../drift/load-realtime.ts";
import { OFFLINE_TABLE } from "../drift/offline-figures.ts";
import type { RealtimeShape } from "../drift/realtime-columns.ts";
import type { DriftThresholds } from "../drift/thresholds.ts";
import { inputError, usageError } from "../errors.ts";
import { type DayRequest, dayAt, dayWindow, resolveDays } from "../plan/days.ts";
import { type Commit, type Part, readHead } from "../publish/commit.ts";
import { readMart } from "../publish/mart-identity.ts";
import { runTable } from "../publish/run-table.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { joinFiles } from "./join-files.ts";
import { type MartEffects, martStore } from "./mart-access.ts";
import { builtDefinitions } from "./mart-definitions.ts";
import { noMart } from "./open-mart.ts";

export interface DriftOptions {
  /** One date; none where `atMs` tells it. */
  readonly days: DayRequest;
  /** The realtime layer's file, absolute. */
  readonly realtime: string;
  readonly out: string;
  /** `name` or `name@version`; null where the file or the mart tells it. */
  readonly metric: string | null;
  /** To look for reasons in; null for none. */
  readonly lake: string | null;
  /** The zone by whose days the realtime figures are cut; null where it is not told. */
  readonly realtimeZone: string | null;
  /** Of a sorted set's dump: the instant at which it was taken, ms. */
  readonly atMs: number | null;
  /** Of a sorted set's dump: how long before the instant a score (last seen) still means online, ms; null for all scores. */
  readonly withinMs: number | null;
  readonly thresholds: DriftThresholds;
  /** How many of the largest differences are told. */
  readonly worst: number;
  /** Whether the comparison goes into the mart's history. */
  readonly record: boolean;
  readonly threads: number | null;
  readonly memoryLimitBytes: number | null;
  readonly tempDir: string | null;
}

/** What the realtime figures are compared with. */
export interface DriftBasis {
  readonly store: ObjectStore;
  readonly zone: string;
  readonly day: string;
  readonly metric: string;
  readonly version: number;
  readonly part: Part;
  readonly shape: RealtimeShape;
  /** Local path of the mart's table. */
  readonly file: string;
  readonly notComparable: string | null;
}

interface Realtime {
  readonly shape: RealtimeShape;
  readonly declared: readonly Declared[];
  readonly folder: string;
}

/** Finds the day and the definition, and tells where the two sides are not of the same. */
export async function driftBasis(
  options: DriftOptions,
  { shape, declared, folder }: Realtime,
  effects: MartEffects,
): Promise<DriftBasis> {
  refuseInstant(options, shape.scope);
  const store = martStore(options.out, effects);
  const mart = await readMart(store);
  if (!mart) throw noMart(options.out);
  const { zone } = mart.identity;
  const day = dayOf(options, zone, effects.nowMs);
  const head = await readHead(store, day);
  if (!head) throw notBuilt(options.out, day, null);
  const { metric, version } = chosenDefinition(options, head, declared);
  const part = head.parts[definitionId({ name: metric, version })]!;
  const file = (await runTable(store, part, OFFLINE_TABLE[shape.scope], folder, joinFiles))!;
  const notComparable =
    otherDefinition(declared, metric, version) ?? otherDays(shape.scope, options.realtimeZone, zone, day);
  return { store, zone, day, metric, version, part, shape, file, notComparable };
}

function refuseInstant({ atMs, withinMs }: DriftOptions, scope: Scope): void {
  if (scope === "instant" && atMs === null) {
    throw usageError(
      "--at is missing: at which instant was the dump of user_id and score taken?",
      "for example --at 2026-07-29T12:00:00Z",
    );
  }
  if (scope !== "instant" && (atMs !== null || withinMs !== null)) {
    throw usageError(
      `${atMs === null ? "--within" : "--at"} goes with a dump of user_id and score only`,
      `the realtime file has figures of ${scope}: leave it out`,
    );
  }
}

function dayOf({ days, atMs }: DriftOptions, zone: string, nowMs: number): string {
  const asked = days.kind === "none" && atMs !== null ? null : resolveDays(days, zone, nowMs)[0]!;
  if (atMs === null) return asked!;
  const day = dayAt(zone, atMs);
  if (asked === null || asked === day) return day;
  throw usageError(
    `--at ${new Date(atMs).toISOString()} lies in ${day} of ${zone}, not in ${asked}`,
    "Leave --date out.",
  );
}

/** What was asked for, else what the file says that it is, else the only definition that the day has. */
function chosenDefinition(
  { metric, out }: DriftOptions,
  commit: Commit,
  declared: readonly Declared[],
): { metric: string; version: number } {
  const built = builtDefinitions(commit);
  const [only, ...others] = declared.filter((each) => each.metric !== null);
  const said = only && others.length === 0 ? only : null;
  const name = metric?.split("@")[0] ?? said?.metric ?? null;
  const version =
    metric === null ? (said?.version ?? null) : metric.includes("@") ? Number(metric.split("@")[1]) : null;
  const names = built.map((each) => `${each.metric}@${each.version}`).join(", ");
  if (name === null) {
    if (built.length === 1) return built[0]!;
    throw usageError(
      `--metric is missing: ${commit.date} has ${names}`,
      "Name the one that the realtime layer counts by.",
    );
  }
  const found = built.filter((each) => each.metric === name && (version === null || each.version === version)).at(-1);
  if (found) return found;
  throw notBuilt(out, commit.date, version === null ? name : `${name}@${version}`, names);
}

const notBuilt = (out: string, day: string, definition: string | null, built = "") =>
  inputError(
    `the mart ${out} has no ${day}${definition === null ? "" : ` of ${definition}, but ${built}`}`,
    `Build it first: presence-batch rebuild --date ${day}${definition === null ? "" : ` --metric ${definition}`}`,
  );

function otherDefinition(declared: readonly Declared[], metric: string, version: number): string | null {
  const fits = (each: Declared) =>
    each.metric === null || (each.metric === metric && (each.version === null || each.version === version));
  if (declared.length === 0 || declared.some(fits)) return null;
  const names = declared.map((each) => (each.version === null ? each.metric : `${each.metric}@${each.version}`));
  return `the realtime figures are of ${names.join(", ")}, the offline ones of ${metric}@${version}`;
}

/** Two zones may well have the same day. Minutes and instants are the same in all. */
function otherDays(scope: Scope, realtimeZone: string | null, zone: string, day: string): string | null {
  if (realtimeZone === null || scope === "minutes" || scope === "instant") return null;
  const [own, theirs] = [dayWindow(zone, day), dayWindow(realtimeZone, day)];
  if (own.startMs === theirs.startMs && own.endMs === theirs.endMs) return null;
  return `the realtime figures are of days of ${realtimeZone}, the offline ones of ${zone}`;
}

import { join } from "node:path";
import { definitionId } from "../definitions/resolve.ts";
import type { SideFiles } from "../diff/compare-sides.ts";
import type { DiffSide } from "../diff/diff-result.ts";
import type { Reference } from "../diff/reference.ts";
import { inputError, usageError } from "../errors.ts";
import { type Commit, readCommit, readHead } from "../publish/commit.ts";
import { type KnownMart, readMart } from "../publish/mart-identity.ts";
import { runTable } from "../publish/run-table.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { planDefinitions } from "./day-plan.ts";
import { joinFiles } from "./join-files.ts";
import { type MartEffects, martStore, settingsOf } from "./mart-access.ts";
import { builtDefinitions } from "./mart-definitions.ts";
import { noMart } from "./open-mart.ts";
import { rebuild } from "./rebuild.ts";

/** A side with the mart that its results are in. */
export interface OpenedSide {
  readonly side: DiffSide;
  readonly store: ObjectStore;
  readonly mart: KnownMart;
  readonly notes: readonly string[];
}

export interface SideOptions {
  /** The mart that references without one mean. */
  readonly out: string;
  /** The definition that references without one mean; null: the only one there is. */
  readonly metric: string | null;
  readonly days: readonly string[];
  /** For definitions' files; null for none. */
  readonly lake: string | null;
  readonly threads: number | null;
  readonly memoryLimitBytes: number | null;
  readonly tempDir: string | null;
}

/** Opens what a reference names; a definition's file is counted into a mart below the private folder first. */
export async function openSide(
  reference: Reference,
  options: SideOptions,
  { folder, effects }: { readonly folder: string; readonly effects: MartEffects },
): Promise<OpenedSide> {
  if (reference.file !== null) return countSide(reference, reference.file, options, { folder, effects });
  const location = reference.mart ?? options.out;
  const store = martStore(location, effects);
  const mart = await readMart(store);
  if (!mart) throw noMart(location);
  if (reference.commit !== null && options.days.length > 1) {
    throw usageError(`commit ${reference.commit} of which date?`, "Commits are compared of one --date.");
  }
  const first = await commitOf(store, options.days[0]!, reference.commit);
  const { metric, version } = chosen(reference.metric ?? options.metric, first, location);
  const { asked, commit } = reference;
  return { side: { asked, mart: location, metric, version, commit, counted: false }, store, mart, notes: [] };
}

async function commitOf(store: ObjectStore, day: string, number: number | null): Promise<Commit> {
  const commit = number === null ? await readHead(store, day) : await readCommit(store, day, number);
  if (commit !== null) return commit;
  if (number === null) {
    throw inputError(
      `the mart ${store.location} has no ${day}`,
      `Build it first: presence-batch rebuild --date ${day}`,
    );
  }
  throw usageError(
    `${day} has no commit ${number} in ${store.location}`,
    `Its commits are in _presence/commits/date=${day}/.`,
  );
}

function chosen(asked: string | null, commit: Commit, location: string): { metric: string; version: number } {
  const { date } = commit;
  const built = builtDefinitions(commit);
  const names = built.map(({ metric, version }) => `${metric}@${version}`).join(", ");
  if (asked === null) {
    if (built.length === 1) return built[0]!;
    throw usageError(
      `--metric is missing: ${date} of ${location} has ${names}`,
      "Name the one that is to be compared.",
    );
  }
  const [name, version] = asked.split("@");
  const found = built.filter(
    (each) => each.metric === name && (version === undefined || each.version === Number(version)),
  );
  if (found.length > 0) return found.at(-1)!;
  throw inputError(
    `the mart ${location} has no ${date} of ${asked}, but ${names}`,
    `Build it first: presence-batch rebuild --date ${date} --metric ${asked} (a folder is written ./${asked})`,
  );
}

async function countSide(
  { asked }: Reference,
  file: string,
  options: SideOptions,
  { folder, effects }: { readonly folder: string; readonly effects: MartEffects },
): Promise<OpenedSide> {
  const { lake, days, threads, memoryLimitBytes, tempDir } = options;
  if (lake === null) {
    throw usageError(`--lake is missing: ${asked} is counted from the events`, "for example --lake /data/lake");
  }
  const like = await readMart(martStore(options.out, effects));
  if (!like) throw noMart(options.out);
  const settings = settingsOf(like.identity, like.eventTypes);
  const { zone } = like.identity;
  const [definition] = planDefinitions({ metrics: [file], settings });
  const out = join(folder, "counted");
  const range = { kind: "range", from: days[0]!, to: days.at(-1)! } as const;
  const { openStore: _, ...others } = effects;
  const result = await rebuild(
    {
      ...{ days: range, metrics: [file], zone, lake, out, settings, threads, memoryLimitBytes, tempDir },
      ...{ stale: false, onBadFile: "quarantine", missingHours: 48, allowUnfinished: true, maxQuarantined: null },
      ...{ dryRun: false, force: false, engine: "duckdb", json: false, debug: false, profile: false },
    },
    { ...others, progress() {}, warn() {} },
  );
  const store = martStore(out, others);
  const mart = (await readMart(store))!;
  const { name: metric, version } = definition!;
  return {
    side: { asked, mart: lake, metric, version, commit: null, counted: true },
    store,
    mart,
    notes: result.days.flatMap((day) => day.incompleteBecause.map((why) => `${asked}, ${day.day}: ${why}`)),
  };
}

/** Local files of a side's results. Exit 3 where a day is missing: nothing is compared with nothing. */
export async function sideFiles(
  { side, store }: OpenedSide,
  days: readonly string[],
  folder: string,
): Promise<SideFiles & { readonly incomplete: readonly string[] }> {
  const userDaily: string[] = [];
  const dailySummary: string[] = [];
  const incomplete: string[] = [];
  const id = definitionId({ name: side.metric, version: side.version });
  for (const day of days) {
    const part = (await commitOf(store, day, side.commit)).parts[id];
    if (!part) {
      throw inputError(
        `${side.asked}: the mart ${side.mart} has no ${day} of ${id}`,
        `Build it first: presence-batch rebuild --date ${day} --metric ${id}, or compare fewer days.`,
      );
    }
    if (!part.complete) incomplete.push(`${side.asked}: ${day} is incomplete (see presence-batch status)`);
    const local = async (table: string) => (await runTable(store, part, table, folder, joinFiles))!;
    userDaily.push(await local("user_daily"));
    dailySummary.push(await local("daily_summary"));
  }
  return { userDaily, dailySummary, incomplete };
}

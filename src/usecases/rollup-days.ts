import { createHash } from "node:crypto";
import { inputError } from "../errors.ts";
import { dayWindow } from "../plan/days.ts";
import type { Period } from "../plan/periods.ts";
import { type Commit, EVENTS, type Part, readHead } from "../publish/commit.ts";
import { readJson } from "../publish/json-object.ts";
import { manifestKey } from "../publish/keys.ts";
import { readDefinition } from "../publish/mart-identity.ts";
import { type TableFile, tableFile } from "../publish/run-table.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import type { StoredDefinition } from "./mart-access.ts";

/** A day of a period as its last commit has it under one definition. */
export interface RollupDay {
  readonly day: string;
  readonly commit: number;
  readonly run: string;
  readonly complete: boolean;
  readonly userDaily: TableFile;
  readonly sessionDaily: TableFile;
}

/** What a definition's period is made of. */
export interface RollupInput {
  readonly definition: StoredDefinition;
  readonly days: readonly RollupDay[];
  /** Days of the period that the mart does not have under this definition. */
  readonly missing: readonly string[];
  readonly part: Pick<Part, "inputs" | "rules" | "eventTypes" | "complete">;
}

/** Which days are taken together, and what they may lack. */
export interface RollupRequest {
  readonly period: Period;
  readonly zone: string;
  /** `name`, if all days have one version of it, or `name@version`; null for all that the days have. */
  readonly metrics: readonly string[] | null;
  /** How many days may be missing. */
  readonly missingDays: number;
}

/**
 * What of the mart a rollup takes together, by definition. Exit 3 where more days are missing than may be, where days differ in the
 * version or in the meaning of a definition, or were counted by different rules.
 */
export async function rollupInputs(store: ObjectStore, request: RollupRequest): Promise<RollupInput[]> {
  const { period, zone, metrics } = request;
  // A date that the zone skipped has no day that could be missing.
  const days = period.days.filter((day) => lengthOf(zone, day) > 0);
  const heads = new Map<string, Commit | null>();
  for (const day of days) heads.set(day, await readHead(store, day));
  const there = new Set([...heads.values()].flatMap((head) => Object.keys(head?.parts ?? {})));
  there.delete(EVENTS);
  if (there.size === 0) throw inputError(`the mart ${store.location} has no day of ${period.name}`, buildHint(days));
  const names = metrics ?? [...new Set([...there].map((id) => id.split("@")[0]!))].sort();
  const ids = [...new Set(names.map((name) => oneVersion(name, there, heads, request)))];
  const inputs: RollupInput[] = [];
  for (const id of ids) inputs.push(await inputOf(store, id, heads, request));
  return inputs;
}

const lengthOf = (zone: string, day: string): number => {
  const { startMs, endMs } = dayWindow(zone, day);
  return endMs - startMs;
};

const buildHint = (days: readonly string[], metric?: string): string =>
  `Build them first: presence-batch rebuild --from ${days[0]} --to ${days.at(-1)}${metric ? ` --metric ${metric}` : ""}`;

type Heads = ReadonlyMap<string, Commit | null>;

function oneVersion(name: string, there: ReadonlySet<string>, heads: Heads, { period }: RollupRequest): string {
  if (name.includes("@")) return name;
  const versions = [...there].filter((id) => id.startsWith(`${name}@`)).sort();
  if (versions.length === 1) return versions[0]!;
  if (versions.length === 0) {
    throw inputError(
      `no day of ${period.name} has ${name}, but ${[...there].sort().join(", ")}`,
      buildHint(period.days, name),
    );
  }
  const lists = versions.map(
    (id) => `${id} on ${shown([...heads].flatMap(([day, head]) => (head?.parts[id] ? [day] : [])))}`,
  );
  throw inputError(
    `${period.name} has more than one version of ${name}: ${lists.join("; ")}`,
    `They do not add up. Rebuild the days under one of them, or name one: --metric ${versions.at(-1)}.`,
  );
}

async function inputOf(store: ObjectStore, id: string, heads: Heads, request: RollupRequest): Promise<RollupInput> {
  const { period, missingDays } = request;
  const parts = [...heads].flatMap(([day, head]) => {
    const part = head?.parts[id];
    return part ? [{ day, commit: head.number, part }] : [];
  });
  const missing = [...heads.keys()].filter((day) => !parts.some((found) => found.day === day));
  if (missing.length > missingDays || parts.length === 0) {
    const goOn = parts.length === 0 ? "" : `, or go on without them: --missing-days ${missing.length}`;
    throw inputError(
      `${period.name} lacks ${missing.length} of ${heads.size} days of ${id}: ${shown(missing)}`,
      `${buildHint(missing, id)}${goOn}`,
    );
  }
  const definition = await sameMeaning(store, id, parts);
  const rules = [...new Set(parts.map(({ part }) => part.rules))];
  if (rules.length > 1) {
    const old = parts.filter(({ part }) => part.rules < Math.max(...rules)).map(({ day }) => day);
    throw inputError(
      `${period.name} has days of ${id} that were counted by older rules (RULES ${Math.min(...rules)}): ${shown(old)}`,
      `Rebuild them: presence-batch rebuild --stale --from ${old[0]} --to ${old.at(-1)}`,
    );
  }
  const days = parts.map(({ day, commit, part }): RollupDay => {
    const file = (table: string) => tableFile(part, table)!;
    return {
      ...{ day, commit },
      run: part.run,
      complete: part.complete,
      userDaily: file("user_daily"),
      sessionDaily: file("session_daily"),
    };
  });
  return {
    definition,
    days,
    missing,
    part: {
      inputs: rollupFingerprint(days, missing),
      rules: rules[0]!,
      eventTypes: parts.at(-1)!.part.eventTypes,
      complete: missing.length === 0 && days.every(({ complete }) => complete),
    },
  };
}

/** Fingerprint of what a period is made of: the content of its days' files. */
export function rollupFingerprint(
  days: readonly Pick<RollupDay, "day" | "userDaily" | "sessionDaily">[],
  missing: readonly string[],
): string {
  const listed = days.map(({ day, userDaily, sessionDaily }) => [day, userDaily.sha256, sessionDaily.sha256]);
  return createHash("sha256")
    .update(JSON.stringify({ days: listed, missing }))
    .digest("hex");
}

/** The mart fixes what a name@version means; a run that was brought in from elsewhere may not have known. */
async function sameMeaning(
  store: ObjectStore,
  id: string,
  parts: readonly { day: string; part: Part }[],
): Promise<StoredDefinition> {
  const kept = await readDefinition<StoredDefinition>(store, id);
  const manifests = new Map<string, { definitions: readonly StoredDefinition[] } | null>();
  const other: string[] = [];
  let found = kept;
  for (const { day, part } of parts) {
    if (!manifests.has(part.run)) manifests.set(part.run, await readJson(store, manifestKey(part.run)));
    const own = manifests.get(part.run)?.definitions.find(({ name, version }) => `${name}@${version}` === id);
    found ??= own ?? null;
    if (own && own.hash !== found?.hash) other.push(day);
  }
  if (found === null)
    throw inputError(`${id} is not known to the mart ${store.location}`, "See presence-batch verify.");
  if (other.length === 0) return found;
  throw inputError(
    `${id} means something else on ${shown(other)} than in the mart`,
    "They do not add up. Rebuild these days.",
  );
}

const SHOWN = 5;
const shown = (days: readonly string[]): string =>
  `${days.slice(0, SHOWN).join(", ")}${days.length > SHOWN ? ` and ${days.length - SHOWN} more` : ""}`;

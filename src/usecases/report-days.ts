import { inputError } from "../errors.ts";
import { type Commit, EVENTS, readHead } from "../publish/commit.ts";
import { readJson } from "../publish/json-object.ts";
import { manifestKey } from "../publish/keys.ts";
import { runTable } from "../publish/run-table.ts";
import type { DayFile } from "../report/read-figures.ts";
import type { DayQuality } from "../report/report-data.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import type { RunManifest } from "./day-manifest.ts";
import { joinFiles } from "./join-files.ts";

/** What a report reads of a run's manifest. */
interface QualityManifest extends RunManifest {
  readonly created_at: string;
  readonly incomplete_because: readonly string[];
  readonly checks: readonly { readonly violations: number }[];
  readonly warnings: readonly string[];
}

const FIRST = "foreground";

/** Days of a mart by their last commits, and their files on this machine. */
export class MartDays {
  readonly #store: ObjectStore;
  readonly #heads: ReadonlyMap<string, Commit>;
  readonly #folder: string;

  private constructor(store: ObjectStore, heads: ReadonlyMap<string, Commit>, folder: string) {
    this.#store = store;
    this.#heads = heads;
    this.#folder = folder;
  }

  static async open(store: ObjectStore, days: readonly string[], folder: string): Promise<MartDays> {
    const heads = new Map<string, Commit>();
    for (const day of days) {
      const head = await readHead(store, day);
      if (head !== null) heads.set(day, head);
    }
    return new MartDays(store, heads, folder);
  }

  /** The definitions of days: those asked for, in that order (exit 3 without one), or all, the usual one first. A bare name is its newest version. */
  definitions(days: readonly string[], asked: readonly string[] | null): string[] {
    const there = new Set(days.flatMap((day) => Object.keys(this.#heads.get(day)?.parts ?? {})));
    there.delete(EVENTS);
    const sorted = [...there].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    if (asked === null)
      return sorted.sort((a, b) => Number(b.startsWith(`${FIRST}@`)) - Number(a.startsWith(`${FIRST}@`)));
    const found = asked.map((name) => {
      const id = sorted.findLast((known) => known === name || known.startsWith(`${name}@`));
      if (id !== undefined || sorted.length === 0) return id;
      throw inputError(
        `the mart ${this.#store.location} has no ${name} of these days, but ${sorted.join(", ")}`,
        `Build it first: presence-batch rebuild --from ${days[0]} --to ${days.at(-1)} --metric ${name}`,
      );
    });
    return [...new Set(found.flatMap((id) => id ?? []))];
  }

  /** Whether the mart has a day under at least one of these. */
  has(day: string, definitions: readonly string[]): boolean {
    const parts = this.#heads.get(day)?.parts ?? {};
    return definitions.some((id) => parts[id] !== undefined);
  }

  /** A table's files of these days; of a definition, or of the days' events where null. */
  async files(days: readonly string[], definition: string | null, table: string): Promise<DayFile[]> {
    const files: DayFile[] = [];
    for (const day of new Set(days)) {
      const part = this.#heads.get(day)?.parts[definition ?? EVENTS];
      const file = part && (await runTable(this.#store, part, table, this.#folder, joinFiles));
      if (file) files.push({ day, file });
    }
    return files;
  }

  /** What the runs say that the days' events are taken from. */
  async quality(days: readonly string[]): Promise<DayQuality[]> {
    const found: DayQuality[] = [];
    for (const day of days) {
      const part = this.#heads.get(day)?.parts[EVENTS];
      const manifest = part && (await readJson<QualityManifest>(this.#store, manifestKey(part.run)));
      if (!part || !manifest) continue;
      found.push({
        day,
        runId: part.run,
        createdAt: manifest.created_at,
        complete: part.complete,
        incompleteBecause: manifest.incomplete_because,
        files: manifest.inputs.length,
        badFiles: manifest.bad_files.length,
        owned: manifest.events.owned,
        accepted: manifest.events.accepted,
        reordered: manifest.events.reordered,
        brokenChecks: manifest.checks.filter(({ violations }) => violations > 0).length,
        warnings: manifest.warnings,
      });
    }
    return found;
  }
}

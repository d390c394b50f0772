import { isPeriodName, namedPeriod } from "../plan/periods.ts";
import { type Commit, committedDates, readHead } from "../publish/commit.ts";
import { looksPublished } from "../publish/converge.ts";
import { readJson } from "../publish/json-object.ts";
import { manifestKey } from "../publish/keys.ts";
import { tableFile } from "../publish/run-table.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import type { RollupManifest } from "./rollup-manifest.ts";

/** A published week or month under a definition, beside the days that it is made of. */
export interface RollupRow {
  /** `2026-W31` or `2026-07`. */
  readonly period: string;
  readonly metric: string;
  readonly version: number;
  readonly state: "current" | "incomplete" | "stale" | "half-published";
  /** Days that have another result now, or have one by now. */
  readonly changedDays: readonly string[];
  readonly run: string;
  readonly commit: number;
}

/** How the weeks and months stand of which the mart has a rollup and which share a day with these. */
export async function rollupStates(store: ObjectStore, days: readonly string[]): Promise<RollupRow[]> {
  const asked = new Set(days);
  const periods = [...(await committedDates(store)).keys()].filter(
    (name) => isPeriodName(name) && namedPeriod(name).days.some((day) => asked.has(day)),
  );
  const heads = new Map<string, Promise<Commit | null>>();
  const headOf = (day: string) => {
    const head = heads.get(day) ?? readHead(store, day);
    heads.set(day, head);
    return head;
  };
  const rows: RollupRow[] = [];
  for (const period of periods) {
    const head = await readHead(store, period);
    if (head !== null) rows.push(...(await periodRows(store, head, headOf)));
  }
  return rows;
}

async function periodRows(
  store: ObjectStore,
  head: Commit,
  headOf: (day: string) => Promise<Commit | null>,
): Promise<RollupRow[]> {
  const published = await looksPublished(store, head);
  const rows: RollupRow[] = [];
  for (const [id, part] of Object.entries(head.parts)) {
    const manifest = await readJson<RollupManifest>(store, manifestKey(part.run));
    const made = new Map(manifest?.inputs[id]?.days.map((day) => [day.day, day]));
    const changedDays: string[] = [];
    for (const day of namedPeriod(head.date).days) {
      const part = (await headOf(day))?.parts[id];
      const sha = (table: string) => (part ? tableFile(part, table)?.sha256 : undefined);
      const before = made.get(day);
      if (sha("user_daily") !== before?.userDaily.sha256 || sha("session_daily") !== before?.sessionDaily.sha256) {
        changedDays.push(day);
      }
    }
    const [metric = "", version] = id.split("@");
    const sound = published ? (part.complete ? "current" : "incomplete") : "half-published";
    rows.push({
      period: head.date,
      metric,
      version: Number(version),
      state: changedDays.length > 0 ? "stale" : sound,
      changedDays,
      run: part.run,
      commit: head.number,
    });
  }
  return rows;
}

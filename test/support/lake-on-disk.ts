import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll } from "vitest";
import type { RebuildOptions } from "../../src/plan/rebuild-options.ts";
import { rebuild } from "../../src/usecases/rebuild.ts";
import type { RebuildEffects, RebuildResult } from "../../src/usecases/rebuild-result.ts";
import { shuffled } from "../fuzz/columns.ts";
import type { Encoding, LakeFile, Scenario } from "../fuzz/scenario.ts";
import { writeLake } from "../fuzz/write-lake.ts";
import type { RawEvent } from "../oracle/types.ts";
import { fixedEffects, optionsOf } from "./rebuild-options.ts";

/** In memory where there is such a file system: publishing waits for the disk otherwise. */
const ROOT = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

const made: string[] = [];
// Here and not in tempFolder: a hook that a running test adds is never run.
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A private folder, removed after the test file. */
export function tempFolder(name = "presence-lake-"): string {
  const folder = mkdtempSync(join(ROOT, name));
  made.push(folder);
  return folder;
}

const PLAIN: Encoding = {
  camelCase: false,
  shortEpoch: false,
  order: 0,
  serverTime: "TIMESTAMPTZ",
  otherTimes: "TIMESTAMPTZ",
  sequence: "BIGINT",
  booleansAsText: false,
  numericIds: false,
  omitEmpty: true,
  emptyText: false,
  micros: 0,
};

/** How rows come into files: by default one file for each hour, its rows in the order of their making. */
export interface Layout {
  readonly files?: number;
  /** Seed of the order of rows, and of which file they are in. */
  readonly shuffle?: number;
}

/** Writes rows as a lake, each in the partition of its hour. */
export async function writeRows(events: readonly RawEvent[], lake: string, layout: Layout = {}): Promise<string> {
  const { files = 1, shuffle } = layout;
  const hours = new Map<number, RawEvent[]>();
  for (const event of events) hours.set(event.hourMs, [...(hours.get(event.hourMs) ?? []), event]);
  const parts = [...hours].flatMap(([hourMs, rows]): LakeFile[] => {
    const mixed = shuffle === undefined ? rows : shuffled(rows, shuffle + 1);
    return Array.from({ length: Math.min(files, rows.length) }, (_, part) => ({
      hourMs,
      name: `part-${shuffle === undefined ? part : files - part}.parquet`,
      encoding: PLAIN,
      rows: mixed.filter((_row, i) => i % files === part).map(({ values }) => values),
    }));
  });
  await writeLake({ lake: { files: parts, emptyHours: [] } } as unknown as Scenario, lake);
  return lake;
}

export type RebuildChanges = Partial<RebuildOptions> & { readonly date?: string };

/** Rebuilds into a mart; hours without data are allowed, since test lakes have few. */
export function build(
  lake: string,
  out: string,
  changes: RebuildChanges = {},
  effects: Partial<RebuildEffects> = {},
): Promise<RebuildResult> {
  const usual = { date: "2024-01-15", metrics: ["connected"], missingHours: 26 };
  return rebuild(optionsOf({ ...usual, ...changes, lake, out }), fixedEffects(effects));
}

/** The published files below a mart, `_presence` aside, with a hash of their bytes. */
export function publishedBytes(out: string, only: RegExp = /./): Record<string, string> {
  const files = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(out, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith("_presence/") && only.test(path))
    .sort();
  return Object.fromEntries(
    files.map((path) => [
      path,
      createHash("sha256")
        .update(readFileSync(join(out, path)))
        .digest("hex"),
    ]),
  );
}

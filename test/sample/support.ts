import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { readRebuildOptions } from "../../src/plan/config.ts";
import { rebuild } from "../../src/usecases/rebuild.ts";
import type { DayResult } from "../../src/usecases/rebuild-result.ts";
import { type SampleOptions, type SampleResult, sample } from "../../src/usecases/sample.ts";

const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** A fresh folder for the tests of the file. */
export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "presence-sample-"));
  folders.push(folder);
  return folder;
}

export const ZONE = "Asia/Shanghai";
export const FIRST_DAY = "2026-07-28";

export async function writeSample(given: Partial<SampleOptions> & { out: string }): Promise<SampleResult> {
  const signal = new AbortController().signal;
  const defaults = { users: 60, days: 1, from: FIRST_DAY, seed: 7, zone: ZONE, truth: false, threads: 1 };
  return sample({ ...defaults, memoryLimitBytes: null, ...given }, { signal, progress: () => {} });
}

export async function rebuildDay(lake: string, out: string, date: string, tz = ZONE): Promise<DayResult> {
  const flags = { lake, out, tz, date, metric: ["connected,foreground,active,live-watch"] };
  const options = readRebuildOptions({ flags, env: {}, cwd: lake });
  const result = await rebuild(options, {
    nowMs: Date.UTC(2026, 8, 1),
    signal: new AbortController().signal,
    warn: () => {},
    progress: () => {},
  });
  return result.days[0]!;
}

/** The SHA-256 of every file below a folder, by its path. */
export async function hashes(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const hashed = await Promise.all(
    paths.map(async (path) => [
      path.slice(folder.length),
      createHash("sha256")
        .update(await readFile(path))
        .digest("hex"),
    ]),
  );
  return Object.fromEntries(hashed.sort());
}

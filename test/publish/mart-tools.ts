import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RebuildOptions } from "../../src/plan/rebuild-options.ts";
import type { ObjectStore } from "../../src/storage/object-store.ts";
import { rebuild } from "../../src/usecases/rebuild.ts";
import type { RebuildEffects, RebuildResult } from "../../src/usecases/rebuild-result.ts";
import { optionsOf } from "../support/rebuild-options.ts";
import { DAY } from "./small-lake.ts";

/** Two days after the tests' day: it is over. */
export const NOW = Date.parse("2024-01-17T12:00:00Z");

export function rebuildOptions(lake: string, out: string, changes: Partial<RebuildOptions> = {}): RebuildOptions {
  return optionsOf({
    lake,
    out,
    date: DAY,
    metrics: ["connected", "foreground"],
    memoryLimitBytes: 500_000_000,
    ...changes,
  });
}

export interface TestEffects extends RebuildEffects {
  readonly warnings: string[];
}

export function effects(changes: Partial<RebuildEffects> & { openStore?: (location: string) => ObjectStore } = {}) {
  const warnings: string[] = [];
  const made: TestEffects = {
    nowMs: NOW,
    signal: new AbortController().signal,
    progress: () => {},
    warn: (text) => warnings.push(text),
    warnings,
    ...changes,
  };
  return made;
}

export function build(lake: string, out: string, changes: Partial<RebuildOptions> = {}): Promise<RebuildResult> {
  return rebuild(rebuildOptions(lake, out, changes), effects());
}

/** All files below a folder: path to `SHA-256 mtime`, or SHA-256 alone. */
export function snapshot(folder: string, { mtimes = true, below = "" } = {}): Record<string, string> {
  const files: Record<string, string> = {};
  for (const path of filesBelow(join(folder, below))) {
    const sha = createHash("sha256")
      .update(readFileSync(join(folder, below, path)))
      .digest("hex");
    files[join(below, path)] = mtimes
      ? `${sha} ${lstatSync(join(folder, below, path), { bigint: true }).mtimeNs}`
      : sha;
  }
  return files;
}

/** The published face alone. */
export function published(out: string, { mtimes = true } = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(snapshot(out, { mtimes })).filter(([path]) => !path.startsWith("_presence")),
  );
}

/** What a crash may leave and `gc` must remove: partial files, marks, runs without a commit. */
export function leftovers(out: string): string[] {
  const paths = filesBelow(out);
  const commits = paths.filter((path) => path.startsWith("_presence/commits/") && path.endsWith(".json"));
  const text = commits.map((path) => readFileSync(join(out, path), "utf8")).join();
  return paths.filter((path) => {
    const run = /^_presence\/runs\/([^/]+)\//.exec(path)?.[1];
    return (
      path.includes(".partial") ||
      path.startsWith("_presence/publishing/") ||
      (run !== undefined && !text.includes(run))
    );
  });
}

export function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replace(/^\//, ""))
      .sort();
  } catch {
    return [];
  }
}

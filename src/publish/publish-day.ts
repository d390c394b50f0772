import { copyFile, link, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fingerprint, type OutputFile } from "./output-file.ts";

/** A run's folder below the mart's root: its files never change once they are there. */
export function runFolder(out: string, runId: string): string {
  return join(out, "_presence", "runs", runId);
}

/**
 * Takes a day's checked files from the private folder into the run's, and then into their published places: each is
 * replaced by rename, so that a reader sees the old or the new one whole. A file with the same content is left alone.
 */
export async function publishDay(
  from: string,
  out: string,
  runId: string,
  files: readonly OutputFile[],
): Promise<void> {
  const run = runFolder(out, runId);
  for (const { path } of files) {
    const kept = join(run, path);
    await mkdir(dirname(kept), { recursive: true });
    await moveDurably(join(from, path), kept);
  }
  for (const file of files) await publishFile(join(run, file.path), join(out, file.path), file, runId);
}

/** Writes a run's manifest: whole, or not at all. */
export async function writeManifest(out: string, runId: string, manifest: object): Promise<void> {
  const run = runFolder(out, runId);
  await mkdir(run, { recursive: true });
  const partial = join(run, "manifest.json.partial");
  await writeFile(partial, `${JSON.stringify(manifest, null, 2)}\n`);
  await flush(partial);
  await rename(partial, join(run, "manifest.json"));
}

async function publishFile(source: string, target: string, file: OutputFile, runId: string): Promise<void> {
  const published = await fingerprint(target).catch(() => null);
  if (published !== null && published.bytes === file.bytes && published.sha256 === file.sha256) return;
  await mkdir(dirname(target), { recursive: true });
  const next = join(dirname(target), `.${runId}.partial`);
  await rm(next, { force: true });
  await linkOrCopy(source, next);
  await rename(next, target);
}

/** Hard links need a file system that has them; a copy serves as well, only slower. */
async function linkOrCopy(source: string, target: string): Promise<void> {
  try {
    await link(source, target);
  } catch {
    await copyFile(source, target);
    await flush(target);
  }
}

async function moveDurably(source: string, target: string): Promise<void> {
  try {
    await rename(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    // Another file system: a crash in the middle must not leave half a file under the final name.
    const partial = `${target}.partial`;
    await copyFile(source, partial);
    await rename(partial, target);
  }
  await flush(target);
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

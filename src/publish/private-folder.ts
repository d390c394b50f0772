import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { usageError } from "../errors.ts";

/**
 * Gives `work` a fresh folder that only this user can enter, and removes it afterwards, whatever happens. All work in
 * progress lives there.
 */
export async function withPrivateFolder<T>(tempDir: string | null, work: (folder: string) => Promise<T>): Promise<T> {
  const parent = resolve(tempDir ?? tmpdir());
  const found = await stat(parent).catch(() => null);
  if (!found?.isDirectory()) throw usageError(`--temp-dir ${parent} is no folder`, "Create it, or name another one.");
  const folder = await mkdtemp(join(parent, "presence-batch-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

import { rmSync } from "node:fs";
import { lstat, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { usageError } from "../errors.ts";
import { identityOfTag, identityTag, isDead, ownIdentity, parseIdentity } from "./process-identity.ts";

const PREFIX = "presence-batch-";
const OWNER = "owner.json";

/**
 * Gives `work` a fresh folder that only this user can enter, and removes it afterwards, whatever happens. All work in
 * progress lives there. Folders of runs that were killed are removed first.
 */
export async function withPrivateFolder<T>(tempDir: string | null, work: (folder: string) => Promise<T>): Promise<T> {
  const parent = resolve(tempDir ?? tmpdir());
  const found = await stat(parent).catch(() => null);
  if (!found?.isDirectory()) throw usageError(`--temp-dir ${parent} is no folder`, "Create it, or name another one.");
  await removeDeadFolders(parent);
  const folder = await mkdtemp(join(parent, `${PREFIX}${identityTag()}-`));
  // A process that exits in the middle runs no finally.
  const removeNow = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeNow);
  try {
    await writeFile(join(folder, OWNER), JSON.stringify(ownIdentity()));
    return await work(folder);
  } finally {
    process.off("exit", removeNow);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes this user's folders of processes that have ended, and gives their paths. Those of living ones are never touched. */
export async function removeDeadFolders(parent: string): Promise<string[]> {
  const own = ownIdentity();
  const removed: string[] = [];
  for (const name of await readdir(parent)) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = join(parent, name);
    // Another user's folder of this name is no business of ours, and neither is a link that someone has put there.
    const found = await lstat(folder).catch(() => null);
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue;
    // The name alone tells of a process that was killed before it could write its owner's file.
    const owner = (await readOwner(folder)) ?? identityOfTag(name.slice(PREFIX.length), own);
    if (owner === null || !isDead(owner, own)) continue;
    await rm(folder, { recursive: true, force: true });
    removed.push(folder);
  }
  return removed;
}

/** Null also while it is being written. */
async function readOwner(folder: string) {
  try {
    return parseIdentity(JSON.parse(await readFile(join(folder, OWNER), "utf8")));
  } catch {
    return null;
  }
}

import { inputError } from "../errors.ts";
import type { LakeFile } from "./lake-file.ts";
import { fileVersion } from "./lake-store.ts";

const STATS_AT_ONCE = 16;

/**
 * After reading: every file still is the version that was listed, so that no mix of two versions was counted.
 * Throws exit 3 and names the first that is not. Links that led nowhere from the start have no version to compare, and staged
 * copies of pinned versions cannot change.
 */
export async function assertUnchanged(listed: readonly LakeFile[]): Promise<void> {
  const files = listed.filter(({ etag }) => etag === undefined);
  for (let start = 0; start < files.length; start += STATS_AT_ONCE) {
    const batch = files.slice(start, start + STATS_AT_ONCE);
    const now = await Promise.all(batch.map((file) => fileVersion(file.path)));
    for (const [index, file] of batch.entries()) {
      const version = now[index];
      if (version ? sameVersion(file, version) : file.inode === 0n) {
        continue;
      }
      const what = version ? "changed" : "vanished";
      throw inputError(`${file.relative} ${what} while it was read`, "Run again once the lake's writers are done.", {
        file: file.path,
      });
    }
  }
}

function sameVersion(a: Pick<LakeFile, "bytes" | "mtimeNs" | "inode">, b: typeof a): boolean {
  return a.bytes === b.bytes && a.mtimeNs === b.mtimeNs && a.inode === b.inode;
}

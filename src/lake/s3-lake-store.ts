import type { S3Options } from "../plan/s3-options.ts";
import { type ListedObject, S3Bucket, type S3Tuning } from "../storage/s3-bucket.ts";
import { INPUT_EXITS, s3Failure } from "../storage/s3-failure.ts";
import type { FileVersion } from "./lake-file.ts";
import type { EntryKind, LakeEntry, LakeStore } from "./lake-store.ts";
import { parsePartitionName } from "./partition.ts";
import { s3Fetcher } from "./s3-staging.ts";
import { StagedLake } from "./staged-lake.ts";

/**
 * A lake in a bucket. Levels above the dates are listed as folders; of a date everything below is listed at once, a thousand objects a
 * request, whatever the number of its hours.
 */
export function s3LakeStore(location: string, options: S3Options, tuning: S3Tuning = {}): LakeStore {
  const bucket = new S3Bucket(location, options, tuning);
  const known = new Map<string, readonly LakeEntry[]>();
  const versions = new Map<string, FileVersion>();

  async function listDate(folder: string): Promise<readonly LakeEntry[]> {
    const { objects } = await bucket.list(`${folder}/`);
    const tree = new Map<string, Map<string, LakeEntry>>();
    for (const object of objects) {
      versions.set(object.key, versionOf(object));
      const names = object.key.slice(folder.length + 1).split("/");
      names.forEach((name, depth) => {
        const isLast = depth === names.length - 1;
        // Consoles make empty objects whose keys look like folders.
        if (isLast && name === "") return;
        const above = [folder, ...names.slice(0, depth)].join("/");
        const entries = tree.get(above) ?? new Map<string, LakeEntry>();
        const kind: EntryKind = isLast ? "file" : "folder";
        entries.set(`${kind} ${name}`, { name, kind });
        tree.set(above, entries);
      });
    }
    for (const [above, entries] of tree) known.set(above, [...entries.values()]);
    return known.get(folder) ?? [];
  }

  async function listFolder(folder: string): Promise<readonly LakeEntry[]> {
    const below = folder === "" ? "" : `${folder}/`;
    const { objects, folders } = await bucket.list(below, "/");
    for (const object of objects) versions.set(object.key, versionOf(object));
    return [
      ...folders.map((key): LakeEntry => ({ name: key.slice(below.length, -1), kind: "folder" })),
      ...objects
        .filter(({ key }) => key !== below)
        .map(({ key }): LakeEntry => ({ name: key.slice(below.length), kind: "file" })),
    ];
  }

  return {
    async list(folder) {
      const found = known.get(folder);
      if (found) return found;
      const isDate = parsePartitionName(folder.slice(folder.lastIndexOf("/") + 1))?.kind === "date";
      try {
        return await (isDate ? listDate(folder) : listFolder(folder));
      } catch (error) {
        throw s3Failure(error, `the lake ${bucket.place.url}`, INPUT_EXITS);
      }
    },
    version: async (file) => versions.get(file) ?? null,
    localPath: (file) => `${bucket.place.url}/${file}`,
    stage: (days, folder, signal) => {
      const { stagingLimitBytes: limitBytes, downloadConcurrency: concurrency } = options;
      return StagedLake.open(days, { folder, limitBytes, concurrency, signal }, (signal) =>
        s3Fetcher(new S3Bucket(location, options, { ...tuning, signal })),
      );
    },
  };
}

const versionOf = ({ bytes, modifiedMs, etag }: ListedObject): FileVersion => ({
  bytes,
  mtimeNs: BigInt(modifiedMs) * 1_000_000n,
  inode: 1n,
  etag,
});

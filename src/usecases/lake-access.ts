import { resolve } from "node:path";
import { type FileAccess, LOCAL_FILES } from "../lake/file-access.ts";
import type { LakeFile } from "../lake/lake-file.ts";
import { type LakeStore, localLakeStore } from "../lake/lake-store.ts";
import { s3LakeStore } from "../lake/s3-lake-store.ts";
import { DEFAULT_S3 } from "../plan/s3-options.ts";
import { withPrivateFolder } from "../publish/private-folder.ts";
import { isS3 } from "../storage/s3-location.ts";
import type { MartEffects } from "./mart-access.ts";

export type LakeEffects = Pick<MartEffects, "openLake" | "s3">;

/** The lake of a location: a folder, or `s3://bucket/prefix`. */
export function lakeStore(location: string, effects: LakeEffects): LakeStore {
  if (effects.openLake) return effects.openLake(location);
  const { s3 = DEFAULT_S3 } = effects;
  return isS3(location) ? s3LakeStore(location, s3) : localLakeStore(resolve(location));
}

type WithFiles = { readonly files: readonly LakeFile[] };

/** A day whose files can be read at their paths through `access`. */
export interface OpenedDay<D> {
  readonly day: D;
  readonly access: FileAccess;
}

export interface StagingPlace {
  readonly tempDir: string | null;
  readonly signal: AbortSignal;
}

/** One day, opened, with a private folder for the work on it. */
export function withOneDay<D extends WithFiles, T>(
  day: D,
  lake: LakeStore,
  place: StagingPlace,
  work: (opened: OpenedDay<D>, folder: string) => Promise<T>,
): Promise<T> {
  return withDays([day], lake, place, (open) => withPrivateFolder(place.tempDir, (folder) => work(open(day), folder)));
}

/**
 * Gives `work` the days of a run to open, one after the other, each no more than once and in their order. Files of a bucket are brought to a
 * private folder as they are needed, and those that several days read stay there while there is room.
 */
export async function withDays<D extends WithFiles, T>(
  days: readonly D[],
  lake: LakeStore,
  { tempDir, signal }: StagingPlace,
  work: (open: (day: D) => OpenedDay<D>) => Promise<T>,
): Promise<T> {
  const { stage } = lake;
  if (stage === null) return work((day) => ({ day, access: LOCAL_FILES }));
  return withPrivateFolder(tempDir, async (folder) => {
    const staged = await stage(
      days.map(({ files }) => files),
      folder,
      signal,
    );
    try {
      return await work((day) => {
        const { files, access } = staged.openDay(days.indexOf(day));
        return { day: { ...day, files }, access };
      });
    } finally {
      await staged.close();
    }
  });
}

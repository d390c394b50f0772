import { resolve } from "node:path";
import { type LakeStore, localLakeStore } from "../lake/lake-store.ts";
import type { LakeFile } from "../lake/listing.ts";
import { s3LakeStore } from "../lake/s3-lake-store.ts";
import { DEFAULT_S3 } from "../plan/s3-options.ts";
import { isS3 } from "../storage/s3-location.ts";
import type { MartEffects } from "./mart-access.ts";

export type LakeEffects = Pick<MartEffects, "openLake" | "s3">;

/** The lake of a location: a folder, or `s3://bucket/prefix`. */
export function lakeStore(location: string, effects: LakeEffects): LakeStore {
  if (effects.openLake) return effects.openLake(location);
  const { s3 = DEFAULT_S3 } = effects;
  return isS3(location) ? s3LakeStore(location, s3) : localLakeStore(resolve(location));
}

/** The day with its files where the engine can read them: those of a bucket are brought into the private folder. */
export async function stageDay<D extends { readonly files: readonly LakeFile[] }>(
  day: D,
  lake: LakeStore,
  folder: string,
  signal: AbortSignal,
): Promise<D> {
  if (lake.stage === null) return day;
  const paths = await lake.stage(day.files, folder, signal);
  return { ...day, files: day.files.map((file, index) => ({ ...file, path: paths[index]! })) };
}

import { DEFAULT_S3, type S3Options } from "../plan/s3-options.ts";
import { LocalStore } from "./local-store.ts";
import type { ObjectStore } from "./object-store.ts";
import { isS3 } from "./s3-location.ts";
import { S3Store } from "./s3-store.ts";

/** The store of a mart's location: a folder, or `s3://bucket/prefix`. */
export function openStore(location: string, s3: S3Options = DEFAULT_S3): ObjectStore {
  return isS3(location) ? new S3Store(location, s3) : new LocalStore(location);
}

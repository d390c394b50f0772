import { usageError } from "../errors.ts";
import { LocalStore } from "./local-store.ts";
import type { ObjectStore } from "./object-store.ts";

/** The store of a mart's location: a folder, or `s3://bucket/prefix`. */
export function openStore(location: string): ObjectStore {
  if (location.startsWith("s3://")) throw usageError("a mart on S3 is not in this version", "Give a folder as --out.");
  return new LocalStore(location);
}

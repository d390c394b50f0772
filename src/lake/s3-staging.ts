import { createWriteStream } from "node:fs";
import { mkdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { EXIT, inputError, PresenceError } from "../errors.ts";
import type { S3Options } from "../plan/s3-options.ts";
import { S3Bucket, type S3Tuning } from "../storage/s3-bucket.ts";
import { INPUT_EXITS, s3Failure } from "../storage/s3-failure.ts";
import { nameOf, statusOf } from "../storage/s3-retries.ts";
import type { StagedFile } from "./lake-store.ts";

/**
 * Brings objects to this machine, several at once, each streamed to its file: exactly the listed version, in its full length and with its
 * checksum. Gives their paths, in order; after a failure the others are stopped.
 */
export async function stageObjects(
  location: string,
  options: S3Options,
  files: readonly StagedFile[],
  folder: string,
  tuning: S3Tuning & { readonly signal: AbortSignal },
): Promise<string[]> {
  const staging = join(folder, "lake");
  await mkdir(staging, { recursive: true, mode: 0o700 });
  await assertRoom(location, options, files, staging);
  const failed = new AbortController();
  const signal = AbortSignal.any([tuning.signal, failed.signal]);
  const bucket = new S3Bucket(location, options, { ...tuning, signal });
  // Keys may hold anything; these names need no care, neither of the file system nor of the engine.
  const paths = files.map((_, index) => join(staging, `${String(index).padStart(6, "0")}.parquet`));
  const left = files.entries();
  const worker = async () => {
    for (const [index, file] of left) {
      if (signal.aborted) return;
      try {
        await stageOne(bucket, file, paths[index]!);
      } catch (error) {
        if (!failed.signal.aborted) failed.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.downloadConcurrency, files.length) }, worker));
  tuning.signal.throwIfAborted();
  if (failed.signal.aborted) throw failed.signal.reason;
  return paths;
}

async function stageOne(bucket: S3Bucket, file: StagedFile, path: string): Promise<void> {
  const address = `${bucket.place.url}/${file.relative}`;
  try {
    const take = (body: AsyncIterable<Buffer>) => pipeline(body, createWriteStream(path, { mode: 0o600 }));
    const { bytes, etag } = await bucket.read(file.relative, take, file.etag);
    if (bytes !== file.bytes || etag !== file.etag) throw changed(address, "was replaced");
  } catch (error) {
    if (statusOf(error) === 412) throw changed(address, "was replaced");
    if (nameOf(error) === "NoSuchKey" || nameOf(error) === "NotFound") throw changed(address, "was deleted");
    throw s3Failure(error, address, INPUT_EXITS);
  }
}

const changed = (address: string, what: string) =>
  inputError(`${address} ${what} since the lake was listed`, "Run again once the lake's writers are done.");

async function assertRoom(
  location: string,
  { stagingLimitBytes }: S3Options,
  files: readonly StagedFile[],
  folder: string,
): Promise<void> {
  const needed = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const mib = (bytes: number) => `${Math.ceil(bytes / 1_048_576)} MiB`;
  const what = `${files.length} files of ${location} have ${mib(needed)}`;
  if (stagingLimitBytes !== null && needed > stagingLimitBytes) {
    const hint = "Raise it, or copy the day to a folder and give that as --lake. Nothing was read.";
    throw inputError(`${what}, more than --staging-limit allows (${mib(stagingLimitBytes)})`, hint);
  }
  const { bavail, bsize } = await statfs(folder);
  if (needed <= bavail * bsize) return;
  throw new PresenceError(EXIT.unexpected, `${what}, and ${folder} has room for ${mib(bavail * bsize)} only`, {
    hint: "Free space, or point --temp-dir to a larger disk. Nothing was published.",
  });
}

import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { inputError } from "../errors.ts";
import type { S3Bucket } from "../storage/s3-bucket.ts";
import { INPUT_EXITS, s3Failure } from "../storage/s3-failure.ts";
import { nameOf, statusOf } from "../storage/s3-retries.ts";
import type { LakeFile } from "./lake-file.ts";
import { ENDS_BYTES, type Fetcher } from "./staged-lake.ts";

const HEAD_BYTES = 4;
/** A Parquet file ends with the length of its footer and four letters. */
const TRAILER_BYTES = 8;

/** Fetches objects of a bucket: exactly the listed version, a whole one in its full length and with its checksum. */
export function s3Fetcher(bucket: S3Bucket): Fetcher {
  return {
    whole: (file, path) =>
      guarded(bucket, file, async (address) => {
        const take = (body: AsyncIterable<Buffer>) => pipeline(body, createWriteStream(path, { mode: 0o600 }));
        const { bytes, etag } = await bucket.read(file.relative, take, { etag: file.etag });
        if (bytes !== file.bytes || etag !== file.etag) throw changed(address, "was replaced");
      }),
    ends: (file, path) =>
      guarded(bucket, file, async () => {
        const tail = await part(bucket, file, file.bytes - ENDS_BYTES, ENDS_BYTES);
        const head = await part(bucket, file, 0, HEAD_BYTES);
        if (tail === null || head === null) return false;
        const footer = tail.readUInt32LE(ENDS_BYTES - TRAILER_BYTES);
        const isFooter = footer <= file.bytes - HEAD_BYTES - TRAILER_BYTES;
        if (isFooter && footer + TRAILER_BYTES > ENDS_BYTES) return false;
        const handle = await open(path, "w", 0o600);
        try {
          await handle.truncate(file.bytes);
          await handle.write(head, 0, HEAD_BYTES, 0);
          await handle.write(tail, 0, ENDS_BYTES, file.bytes - ENDS_BYTES);
        } finally {
          await handle.close();
        }
        return true;
      }),
  };
}

/** Null where the store gives no parts. */
async function part(bucket: S3Bucket, file: LakeFile, from: number, bytes: number): Promise<Buffer | null> {
  let chunks: Buffer[] = [];
  const take = async (body: AsyncIterable<Buffer>) => {
    chunks = [];
    for await (const chunk of body) chunks.push(chunk);
  };
  const { isPart } = await bucket.read(file.relative, take, { etag: file.etag, range: { from, bytes } });
  return isPart ? Buffer.concat(chunks) : null;
}

async function guarded<T>(bucket: S3Bucket, file: LakeFile, work: (address: string) => Promise<T>): Promise<T> {
  const address = `${bucket.place.url}/${file.relative}`;
  try {
    return await work(address);
  } catch (error) {
    if (statusOf(error) === 412) throw changed(address, "was replaced");
    if (nameOf(error) === "NoSuchKey" || nameOf(error) === "NotFound") throw changed(address, "was deleted");
    throw s3Failure(error, address, INPUT_EXITS);
  }
}

const changed = (address: string, what: string) =>
  inputError(`${address} ${what} since the lake was listed`, "Run again once the lake's writers are done.");

import { createHash, randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { EXIT, inputError } from "../errors.ts";
import type { S3Options } from "../plan/s3-options.ts";
import type { Digest, ObjectStore, StoredObject } from "./object-store.ts";
import { S3Bucket, type S3Tuning } from "./s3-bucket.ts";
import { type S3Exits, s3Failure } from "./s3-failure.ts";
import { statusOf } from "./s3-retries.ts";
import { type PartSizes, S3Writes } from "./s3-writes.ts";

/** Where the probe of `assertUsable` writes; one that is still there is a leftover. */
const PROBES = "_presence/probes/";
/** Between an object's key and the id of an upload to it that was never completed. */
const UPLOAD = "?uploadId=";
const DELETES_AT_ONCE = 8;
const EARLY_EXITS: S3Exits = { refused: EXIT.usage, unreachable: EXIT.input };
const LATER_EXITS: S3Exits = { refused: EXIT.unexpected, unreachable: EXIT.unexpected };

/** A mart in a bucket, below a prefix. */
export class S3Store implements ObjectStore {
  readonly location: string;
  readonly #bucket: S3Bucket;
  readonly #writes: S3Writes;
  #changed = false;

  constructor(location: string, options: S3Options, tuning: S3Tuning = {}, sizes?: PartSizes) {
    this.#bucket = new S3Bucket(location, options, tuning);
    this.#writes = new S3Writes(this.#bucket, sizes);
    this.location = this.#bucket.place.url;
  }

  /** Creates one object twice: where the second time succeeds, two runs could both believe that they have won. */
  assertUsable(): Promise<void> {
    return this.#guarded(async () => {
      const key = `${PROBES}${randomBytes(8).toString("hex")}.json`;
      // One that is there at the first time is this probe's own, its answer lost: the condition works.
      let outcome = await this.#probe(key);
      if (outcome === "created") outcome = await this.#probe(key);
      await this.#writes.delete(key);
      if (outcome === "there") return;
      throw inputError(
        `the store of ${this.location} ${outcome === "created" ? "ignores" : "has no"} conditional writes (If-None-Match: *): two runs at once could overwrite each other`,
        "Use a store that has them, such as Amazon S3 or Ceph RGW, or a folder as --out. Nothing was published.",
      );
    });
  }

  get(key: string): Promise<Buffer | null> {
    return this.#guarded(async () => {
      let chunks: Buffer[] = [];
      const found = await this.#read(key, async (body) => {
        chunks = [];
        for await (const chunk of body) chunks.push(chunk);
      });
      return found ? Buffer.concat(chunks) : null;
    });
  }

  stat(key: string): Promise<StoredObject | null> {
    return this.#guarded(() =>
      nullIfMissing(async () => {
        const found = await this.#bucket.request(({ sdk, client }) =>
          client.send(new sdk.HeadObjectCommand(this.#bucket.at(key))),
        );
        return { key, bytes: found.ContentLength ?? 0, modifiedMs: found.LastModified?.getTime() ?? 0 };
      }),
    );
  }

  digest(key: string): Promise<Digest | null> {
    return this.#guarded(async () => {
      let digest: Digest = { bytes: 0, sha256: "" };
      const found = await this.#read(key, async (body) => {
        const hash = createHash("sha256");
        let bytes = 0;
        for await (const chunk of body) {
          hash.update(chunk);
          bytes += chunk.length;
        }
        digest = { bytes, sha256: hash.digest("hex") };
      });
      return found ? digest : null;
    });
  }

  put(key: string, content: string): Promise<void> {
    return this.#changing(() => this.#writes.put(key, content));
  }

  putFile(key: string, file: string): Promise<void> {
    return this.#changing(() => this.#writes.putFile(key, file));
  }

  createExclusive(key: string, content: string): Promise<boolean> {
    return this.#changing(() => this.#writes.create(key, content));
  }

  async copy(from: string, to: string): Promise<void> {
    const found = await this.stat(from);
    if (found === null) throw new Error(`${from} is not in ${this.location}`);
    await this.#changing(() => this.#writes.copy(from, to, found.bytes));
  }

  list(prefix: string): Promise<StoredObject[]> {
    return this.#guarded(async () => {
      const { objects } = await this.#bucket.list(prefix);
      // Consoles make empty objects whose keys look like folders.
      return objects
        .filter(({ key }) => !key.startsWith(PROBES) && !key.endsWith("/") && key !== "")
        .map(({ key, bytes, modifiedMs }) => ({ key, bytes, modifiedMs }));
    });
  }

  delete(key: string): Promise<void> {
    return this.#changing(() => this.#writes.delete(key));
  }

  deleteAll(prefix: string): Promise<void> {
    return this.#changing(async () => {
      const { objects } = await this.#bucket.list(prefix);
      for (let at = 0; at < objects.length; at += DELETES_AT_ONCE) {
        await Promise.all(objects.slice(at, at + DELETES_AT_ONCE).map(({ key }) => this.#writes.delete(key)));
      }
      for (const { key } of await this.#uploads(prefix)) await this.removeLeftover(key);
    });
  }

  leftovers(prefix: string): Promise<StoredObject[]> {
    return this.#guarded(async () => {
      const { objects } = PROBES.startsWith(prefix) ? await this.#bucket.list(PROBES) : { objects: [] };
      const probes = objects.map(({ key, bytes, modifiedMs }) => ({ key, bytes, modifiedMs }));
      return [...probes, ...(await this.#uploads(prefix))];
    });
  }

  removeLeftover(key: string): Promise<void> {
    const at = key.indexOf(UPLOAD);
    if (at < 0) return this.delete(key);
    return this.#changing(() => this.#writes.abort(key.slice(0, at), key.slice(at + UPLOAD.length)));
  }

  asLocalFile(key: string, folder: string): Promise<string> {
    return this.#guarded(async () => {
      const file = join(folder, "mart", key);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const found = await this.#read(key, (body) => pipeline(body, createWriteStream(file, { mode: 0o600 })));
      if (!found) throw new Error(`${key} is not in ${this.location}`);
      return file;
    });
  }

  async #probe(key: string): Promise<"created" | "there" | "unknown"> {
    try {
      return (await this.#writes.create(key, "{}\n")) ? "created" : "there";
    } catch (error) {
      if (statusOf(error) === 501) return "unknown";
      throw error;
    }
  }

  /** False where there is none. */
  async #read(key: string, take: (body: AsyncIterable<Buffer>) => Promise<void>): Promise<boolean> {
    return (await nullIfMissing(() => this.#bucket.read(key, take))) !== null;
  }

  async #uploads(prefix: string): Promise<StoredObject[]> {
    const { bucket, prefix: root } = this.#bucket.place;
    const found: StoredObject[] = [];
    for (let at: { key?: string; upload?: string } | null = {}; at; ) {
      const { key: KeyMarker, upload: UploadIdMarker } = at as { key?: string; upload?: string };
      const page = await this.#bucket.request(({ sdk, client }) =>
        client.send(
          new sdk.ListMultipartUploadsCommand({
            Bucket: bucket,
            Prefix: root + prefix,
            ...(KeyMarker ? { KeyMarker } : {}),
            ...(UploadIdMarker ? { UploadIdMarker } : {}),
            ...this.#bucket.payer(),
          }),
        ),
      );
      for (const { Key = "", UploadId = "", Initiated } of page.Uploads ?? []) {
        const key = `${Key.slice(root.length)}${UPLOAD}${UploadId}`;
        found.push({ key, bytes: 0, modifiedMs: Initiated?.getTime() ?? 0 });
      }
      const { NextKeyMarker: key = "", NextUploadIdMarker: upload = "" } = page;
      at = page.IsTruncated === true && key !== "" ? { key, upload } : null;
    }
    return found;
  }

  #changing<T>(work: () => Promise<T>): Promise<T> {
    this.#changed = true;
    return this.#guarded(work);
  }

  /** Before its first change a command has certainly published nothing; afterwards what counts is whole, and 1 says no more. */
  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw s3Failure(error, this.location, this.#changed ? LATER_EXITS : EARLY_EXITS);
    }
  }
}

async function nullIfMissing<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    // A bucket that is not there is no missing object; HEAD cannot tell, but a listing or reading does.
    if (statusOf(error) === 404 && (error as Error).name !== "NoSuchBucket") return null;
    throw error;
  }
}

import { createHash } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { Readable } from "node:stream";
import type { GetObjectCommandOutput } from "@aws-sdk/client-s3";
import type { S3Options } from "../plan/s3-options.ts";
import { type Connection, connect } from "./s3-client.ts";
import { parseS3, type S3Location } from "./s3-location.ts";
import { RETRIES, type Retries, withRetries } from "./s3-retries.ts";

/** One object, by its key below the location's prefix. */
export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
  readonly modifiedMs: number;
  /** Without quotes. */
  readonly etag: string;
}

export interface ListedPrefix {
  readonly objects: readonly ListedObject[];
  /** With a delimiter: what lies below, each ending in `/`. */
  readonly folders: readonly string[];
}

export interface S3Tuning {
  readonly retries?: Retries;
  /** A body of which nothing arrives for so long, or an answer that does not begin, is given up. */
  readonly stallMs?: number;
  readonly signal?: AbortSignal;
}

const PAGE = 1_000;
const STALL_MS = 30_000;

/** Listing and reading below one location, each request tried again where that may help. Errors are the SDK's. */
export class S3Bucket {
  readonly place: S3Location;
  readonly options: S3Options;
  readonly #retries: Retries;
  readonly #signal: AbortSignal;
  readonly #stallMs: number;
  #connected: Promise<Connection> | undefined;
  /** Some stores compare `If-Match` without its quotes. */
  #quotes = '"';

  constructor(location: string, options: S3Options, tuning: S3Tuning = {}) {
    this.place = parseS3(location);
    this.options = options;
    this.#retries = tuning.retries ?? RETRIES;
    this.#stallMs = tuning.stallMs ?? STALL_MS;
    this.#signal = tuning.signal ?? new AbortController().signal;
    // Each request that is under way listens.
    setMaxListeners(0, this.#signal);
  }

  /** Runs a request, from its beginning each time. */
  async request<T>(work: (connection: Connection, attempt: number) => Promise<T>): Promise<T> {
    this.#connected ??= connect(this.options, this.#stallMs);
    const connection = await this.#connected;
    return withRetries(this.#retries, this.#signal, (attempt) => work(connection, attempt));
  }

  /** Where an object lies, and who pays for the request. */
  at(key: string) {
    return { Bucket: this.place.bucket, Key: this.place.prefix + key, ...this.payer() };
  }

  payer() {
    return this.options.requestPayer ? ({ RequestPayer: "requester" } as const) : {};
  }

  async list(below: string, delimiter?: "/"): Promise<ListedPrefix> {
    const objects: ListedObject[] = [];
    const folders: string[] = [];
    for (let token: string | undefined, more = true; more; ) {
      const page = await this.request(({ sdk, client }) =>
        client.send(
          new sdk.ListObjectsV2Command({
            Bucket: this.place.bucket,
            Prefix: this.place.prefix + below,
            MaxKeys: PAGE,
            // XML cannot carry every character that a key may have.
            EncodingType: "url",
            ...(delimiter ? { Delimiter: delimiter } : {}),
            ...(token === undefined ? {} : { ContinuationToken: token }),
            ...this.payer(),
          }),
          { abortSignal: this.#signal },
        ),
      );
      for (const { Key = "", Size = 0, LastModified, ETag = "" } of page.Contents ?? []) {
        const modifiedMs = LastModified?.getTime() ?? 0;
        objects.push({ key: this.#below(Key), bytes: Size, modifiedMs, etag: bare(ETag) });
      }
      for (const { Prefix = "" } of page.CommonPrefixes ?? []) folders.push(this.#below(Prefix));
      token = page.NextContinuationToken;
      more = page.IsTruncated === true && token !== undefined;
    }
    return { objects, folders };
  }

  /** Reads one object, or a part of it, from its beginning; `take` gets its bytes, and starts anew where it is called again. */
  async read(
    key: string,
    take: (chunks: AsyncIterable<Buffer>) => Promise<void>,
    { etag, range }: ReadWhat = {},
  ): Promise<ReadObject> {
    return this.request(async ({ sdk, client }) => {
      const get = (match: string | undefined) =>
        client.send(
          new sdk.GetObjectCommand({
            ...this.at(key),
            ...(match ? { IfMatch: match } : {}),
            ...(range ? { Range: `bytes=${range.from}-${range.from + range.bytes - 1}` } : { ChecksumMode: "ENABLED" }),
          }),
          { abortSignal: this.#signal },
        );
      const answer = etag === undefined ? await get(undefined) : await this.#pinned(etag, get);
      if (etag !== undefined && bare(answer.ETag ?? "") !== etag) {
        (answer.Body as Readable).destroy();
        throw Object.assign(new Error("another version came than was asked for"), {
          $metadata: { httpStatusCode: 412 },
        });
      }
      const isPart = answer.ContentRange !== undefined;
      if (range && !isPart) {
        (answer.Body as Readable).destroy();
        return { bytes: 0, etag: bare(answer.ETag ?? ""), isPart };
      }
      const hash = createHash("md5");
      let bytes = 0;
      const { body, signal, stallMs } = { body: answer.Body as Readable, signal: this.#signal, stallMs: this.#stallMs };
      async function* counted() {
        for await (const chunk of unstalled(body, stallMs, signal)) {
          hash.update(chunk);
          bytes += chunk.length;
          yield chunk;
        }
      }
      try {
        await take(counted());
      } finally {
        body.destroy();
      }
      if (answer.ContentLength !== undefined && bytes !== answer.ContentLength) {
        throw incomplete(`${bytes} of ${answer.ContentLength} bytes arrived`);
      }
      const md5 = isPart ? null : md5Of(answer);
      if (md5 !== null && hash.digest("hex") !== md5) throw incomplete("what arrived has another checksum");
      return { bytes, etag: bare(answer.ETag ?? ""), isPart };
    });
  }

  async #pinned<T>(etag: string, get: (match: string) => Promise<T>): Promise<T> {
    const quotes = this.#quotes;
    try {
      return await get(`${quotes}${etag}${quotes}`);
    } catch (error) {
      if ((error as Error).name !== "PreconditionFailed" && (error as Error).name !== "412") throw error;
      const others = quotes === "" ? '"' : "";
      const answer = await get(`${others}${etag}${others}`);
      this.#quotes = others;
      return answer;
    }
  }

  #below(encoded: string): string {
    return decoded(encoded).slice(this.place.prefix.length);
  }
}

export interface ReadWhat {
  /** This version only: any other fails with 412. */
  readonly etag?: string | undefined;
  readonly range?: { readonly from: number; readonly bytes: number };
}

export interface ReadObject {
  readonly bytes: number;
  readonly etag: string;
  /** False where a range was asked for: the store has none, and nothing was read. */
  readonly isPart: boolean;
}

export const bare = (etag: string): string => etag.replace(/^(W\/)?"|"$/g, "");

/** The MD5 that an ETag is, unless the object came in parts or is encrypted by a key of its own. */
function md5Of({ ETag = "", ServerSideEncryption, SSECustomerAlgorithm }: GetObjectCommandOutput): string | null {
  const etag = bare(ETag);
  const isOpaque = ServerSideEncryption?.startsWith("aws:") || SSECustomerAlgorithm !== undefined;
  return !isOpaque && /^[0-9a-f]{32}$/.test(etag) ? etag : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

const incomplete = (message: string): Error => Object.assign(new Error(message), { name: "Incomplete" });

/** The chunks of a body; fails where none arrives in time, or the run is stopped. */
async function* unstalled(body: Readable, stallMs: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  const stalled = Object.assign(new Error(`nothing arrived for ${stallMs} ms`), { name: "Stalled" });
  const stop = () => body.destroy(signal.reason instanceof Error ? signal.reason : new Error("stopped"));
  let timer = setTimeout(() => body.destroy(stalled), stallMs);
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const chunk of body) {
      clearTimeout(timer);
      yield chunk as Buffer;
      timer = setTimeout(() => body.destroy(stalled), stallMs);
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { LakeFile } from "../../src/lake/lake-file.ts";
import { type LakeStore, localLakeStore } from "../../src/lake/lake-store.ts";
import { s3LakeStore } from "../../src/lake/s3-lake-store.ts";
import { DEFAULT_S3, type S3Options } from "../../src/plan/s3-options.ts";
import { LocalStore } from "../../src/storage/local-store.ts";
import type { S3Tuning } from "../../src/storage/s3-bucket.ts";
import { isS3 } from "../../src/storage/s3-location.ts";
import { S3Store } from "../../src/storage/s3-store.ts";
import type { RebuildEffects } from "../../src/usecases/rebuild-result.ts";
import { effects, filesBelow } from "../publish/mart-tools.ts";
import { tempFolder } from "../publish/small-lake.ts";
import { FakeS3, type SeenRequest } from "./fake-s3.ts";

/** As the program's own, but without its waits. */
export const FAST: S3Tuning = { retries: { attempts: 4, firstDelayMs: 1, longestDelayMs: 4 }, stallMs: 1000 };

export const KEYS = {
  AWS_ACCESS_KEY_ID: "TESTKEY",
  AWS_SECRET_ACCESS_KEY: "TESTSECRET",
  AWS_EC2_METADATA_DISABLED: "true",
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
};

/** A fake server for a test file, empty at the end of each test. */
export function fakeS3(): FakeS3 {
  const server = new FakeS3();
  beforeAll(async () => {
    Object.assign(process.env, KEYS);
    await server.start();
  });
  afterEach(() => {
    server.objects.clear();
    server.uploads.clear();
    server.seen.length = 0;
    server.fault = () => null;
  });
  afterAll(() => server.stop());
  return server;
}

export const optionsOf = (endpoint: string): S3Options => ({ ...DEFAULT_S3, endpoint, pathStyle: true });

/** Opens lake and mart on a server. */
export function s3Effects(endpoint: string, changes: Partial<RebuildEffects> = {}, tuning = FAST) {
  const options = optionsOf(endpoint);
  return effects({
    openStore: (location) => (isS3(location) ? new S3Store(location, options, tuning) : new LocalStore(location)),
    openLake: (location) => (isS3(location) ? s3LakeStore(location, options, tuning) : localLakeStore(location)),
    ...changes,
  });
}

/** Puts all files of a folder below `bucket/prefix`. */
export function fill(server: FakeS3, folder: string, below: string): void {
  for (const path of filesBelow(folder)) server.set(`${below}/${path}`, readFileSync(join(folder, path)));
}

/** Brings files of a lake to this machine, and gives the content of each. */
export async function staged(lake: LakeStore, files: readonly LakeFile[]): Promise<string[]> {
  const stagedLake = await lake.stage!([files], tempFolder("staged-"), new AbortController().signal);
  try {
    const { files: placed, access } = stagedLake.openDay(0);
    const contents = new Map<string, string>();
    await access.read(placed, async (batch) => {
      for (const { relative, path } of batch) contents.set(relative, readFileSync(path, "utf8"));
    });
    return files.map(({ relative }) => contents.get(relative)!);
  } finally {
    await stagedLake.close();
  }
}

/** The published files below `bucket/prefix`: path to content. */
export function publishedIn(server: FakeS3, below: string): Record<string, string> {
  const paths = [...server.objects.keys()].filter((path) => path.startsWith(`${below}/`)).sort();
  return Object.fromEntries(
    paths
      .map((path) => [path.slice(below.length + 1), server.objects.get(path)!.etag] as const)
      .filter(([path]) => !path.startsWith("_presence/")),
  );
}

/** A fault for the n-th request that this is true of, and for those after it up to `times`. */
export function nth<F>(
  n: number,
  is: (request: SeenRequest) => boolean,
  fault: F,
  times = 1,
): (r: SeenRequest) => F | null {
  let count = 0;
  return (request) => {
    if (!is(request)) return null;
    count++;
    return count >= n && count < n + times ? fault : null;
  };
}

export const isData = ({ method, key }: SeenRequest): boolean => method === "GET" && key.endsWith(".parquet");

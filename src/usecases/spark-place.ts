import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { LocalStore } from "../storage/local-store.ts";
import type { ObjectStore, StoredObject } from "../storage/object-store.ts";
import { isS3 } from "../storage/s3-location.ts";
import { type MartEffects, martStore } from "./mart-access.ts";

/** A folder that this program and Spark both reach, by the name that each has for it. */
export interface SparkPlace {
  readonly store: ObjectStore;
  /** As Spark's file systems name it; no slash at its end. */
  readonly url: string;
}

const DRIVER = "driver.py";

/** The driver where this program has it: spark-submit takes it along, also where it could not yet read from a bucket. */
export const DRIVER_FILE = fileURLToPath(new URL(`../../src/engine/spark/${DRIVER}`, import.meta.url));

/** `location`: a folder, or `s3://bucket/prefix`, which is `s3a://` to Spark. */
export function sparkPlace(location: string, effects: Pick<MartEffects, "openStore" | "s3">): SparkPlace {
  if (!isS3(location)) return { store: new LocalStore(location), url: resolve(location) };
  const store = martStore(location, effects);
  return { store, url: sparkUrl(store.location) };
}

/** A path of this program as Spark calls it. */
export const sparkUrl = (location: string): string => location.replace(/^s3:/, "s3a:");

/** Puts the driver into the place, and gives its name there. */
export async function placeDriver(place: SparkPlace): Promise<string> {
  await place.store.put(DRIVER, await readFile(DRIVER_FILE, "utf8"));
  return `${place.url}/${DRIVER}`;
}

/** Folder of a day's job in the place, and what lies in it. */
export const jobKey = (date: string, name = ""): string => `${date}/${name}`;
export const jobUrl = (place: SparkPlace, date: string): string => `${place.url}/${jobKey(date, "job.json")}`;

/** The text of a day's result; null where the job has not written one, or not all of it. */
export async function resultText({ store }: SparkPlace, date: string): Promise<string | null> {
  const folder = jobKey(date, "result/");
  const objects = await store.list(folder);
  const whole = objects.some(({ key }) => key === `${folder}_SUCCESS`);
  const part = objects.find(({ key }) => /\/part-[^/]*\.txt$/.test(key));
  return whole && part ? ((await store.get(part.key))?.toString("utf8") ?? null) : null;
}

/** What failed attempts at a day's job have left to say, each as JSON: on a cluster the driver's output may be seen elsewhere only. */
export async function failureTexts({ store }: SparkPlace, date: string): Promise<string[]> {
  const objects = await store.list(jobKey(date));
  const parts = objects.filter(({ key }) => /\/attempt-[^/]+\/failure\/part-[^/]*\.txt$/.test(key));
  const texts = await Promise.all(parts.map(({ key }) => store.get(key)));
  return texts.flatMap((text) => text?.toString("utf8") ?? []);
}

/** The Parquet files that a job's attempt has written, with their paths below the attempt's folder. */
export async function outputParts(
  { store }: SparkPlace,
  date: string,
  attempt: string,
): Promise<{ readonly key: string; readonly path: string }[]> {
  const folder = jobKey(date, `${attempt}/`);
  const isPart = ({ key }: StoredObject) => /\/part-[^/]*\.parquet$/.test(key);
  const objects = await store.list(`${folder}output/`);
  return objects.filter(isPart).map(({ key }) => ({ key, path: key.slice(folder.length) }));
}

/** Where a place's file lies on this machine once it is fetched. */
export const fetched = ({ store }: SparkPlace, key: string, folder: string): Promise<string> =>
  store.asLocalFile(key, join(folder, "spark"));

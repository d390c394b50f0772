import { resolve } from "node:path";
import type { Definition } from "../definitions/definition.ts";
import { EXIT, inputError, PresenceError, usageError } from "../errors.ts";
import { isDefinitionPath } from "../plan/option-values.ts";
import type { RebuildOptions } from "../plan/rebuild-options.ts";
import { DEFAULT_S3, type S3Options } from "../plan/s3-options.ts";
import type { SparkOptions } from "../plan/spark-options.ts";
import { type Commit, readCommit, readHead } from "../publish/commit.ts";
import { withPrivateFolder } from "../publish/private-folder.ts";
import { newRunId } from "../publish/run-id.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { buildDay } from "./build-day.ts";
import { collectSparkDay } from "./collect-spark-day.ts";
import type { CountedDay } from "./count-day.ts";
import { inputsFingerprint } from "./day-inputs.ts";
import { bytesOf, type DayPlan, planDays, planDefinitions } from "./day-plan.ts";
import { martStore } from "./mart-access.ts";
import { prepareSparkDay } from "./prepare-spark-day.ts";
import { planRebuilding } from "./rebuild-planning.ts";
import type { EmitResult, EmittedJob, RebuildEffects, RebuildResult } from "./rebuild-result.ts";
import { jobKey, jobUrl, placeDriver, resultText, type SparkPlace, sparkPlace } from "./spark-place.ts";

const EMITTED = "emitted.json";
const FORMAT = 1;

/** What `--collect` needs to know of the run that emitted the jobs. */
interface Emitted {
  readonly format: number;
  readonly runId: string;
  readonly options: RebuildOptions;
  readonly s3: S3Options;
  readonly days: readonly EmittedDay[];
}

interface EmittedDay {
  readonly day: string;
  /** `inputsFingerprint` of what the job reads. */
  readonly inputs: string;
  /** Hashes by name and version. */
  readonly definitions: readonly Pick<Definition, "name" | "version" | "hash">[];
  /** Number of the last commit that the run saw; 0 for none. */
  readonly base: number;
}

/** Writes the jobs of a run, to be submitted by whatever submits jobs; nothing is counted or published. */
export async function emitJobs(
  options: RebuildOptions,
  spark: SparkOptions,
  effects: RebuildEffects,
): Promise<EmitResult> {
  const dir = spark.emit!;
  const place = sparkPlace(dir, effects);
  if ((await place.store.list("")).length > 0) {
    throw usageError(
      `--emit ${dir} is not empty`,
      "Give a new folder: results are told from jobs by what lies beside them.",
    );
  }
  const store = martStore(options.out, effects);
  const plan = await planRebuilding(options, effects, store);
  const runId = newRunId(effects.nowMs);
  const driver = await placeDriver(place);
  const days: EmittedDay[] = [];
  const jobs: EmittedJob[] = [];
  for (const { day, definitions } of plan.toBuild) {
    const date = day.window.day;
    const preparing = { definitions, options, job: `${runId}-${date}`, unreadable: [], effects };
    const { job } = await withPrivateFolder(options.tempDir, (folder) =>
      prepareSparkDay(day, { ...preparing, folder }),
    );
    await place.store.put(jobKey(date, "job.json"), JSON.stringify(job));
    const base = (await readHead(store, date))?.number ?? 0;
    const named = definitions.map(({ name, version, hash }) => ({ name, version, hash }));
    days.push({ day: date, inputs: inputsFingerprint(day), definitions: named, base });
    jobs.push({ day: date, job: jobUrl(place, date), files: day.files.length, bytes: bytesOf(day) });
  }
  const { s3 = DEFAULT_S3 } = effects;
  // Its paths must lead there from anywhere.
  const metrics = options.metrics.map((metric) => (isDefinitionPath(metric) ? resolve(metric) : metric));
  const emitted: Emitted = { format: FORMAT, runId, options: { ...options, metrics }, s3, days };
  await place.store.put(EMITTED, `${JSON.stringify(emitted, null, 2)}\n`);
  return { dir, driver, jobs };
}

/** How a collecting run differs from the one that emitted. */
export interface CollectOptions {
  /** A folder, or `s3://…`. */
  readonly dir: string;
  readonly tempDir: string | null;
}

/** Publishes the results of emitted jobs, each day as a rebuild would have. Days without a result fail it (exit 3) before any is published. */
export async function collectJobs({ dir, tempDir }: CollectOptions, given: RebuildEffects): Promise<RebuildResult> {
  const place = sparkPlace(dir, given);
  const { options: asEmitted, s3, runId, days } = await readEmitted(place, dir);
  const effects = { ...given, s3 };
  const options = { ...asEmitted, tempDir };
  const store = martStore(options.out, effects);
  await store.assertUsable();
  const texts = new Map<string, string>();
  for (const { day } of days) texts.set(day, await result(place, day));
  const results = [];
  for (const emitted of days) {
    const { day, definitions, oddities } = await sameDay(emitted, options, effects);
    const date = emitted.day;
    const base = await commitOf(store, date, emitted.base);
    const count = async (_: DayPlan, folder: string): Promise<CountedDay> => {
      const preparing = { definitions, options, job: `${runId}-${date}`, unreadable: [], effects, folder };
      const prepared = await prepareSparkDay(day, preparing);
      return collectSparkDay(day, prepared, texts.get(date)!, { definitions, options, folder, place, take: false });
    };
    const context = { options, effects, store, runId: `${runId}-${date}`, base, count };
    const built = await buildDay({ day, definitions }, { oddities }, context);
    results.push(built);
    effects.progress({ kind: "published", day: date, seconds: built.seconds });
  }
  return { out: options.out, days: results };
}

async function readEmitted({ store }: SparkPlace, dir: string): Promise<Emitted> {
  const text = await store.get(EMITTED);
  if (text === null)
    throw usageError(`${dir} has no ${EMITTED}: it is no folder of --emit`, "Give the folder that --emit wrote.");
  const emitted = JSON.parse(text.toString("utf8")) as Emitted;
  if (emitted.format === FORMAT) return emitted;
  throw usageError(
    `${dir} was emitted by another version of presence-batch`,
    "Emit and collect with the same version.",
  );
}

async function result(place: SparkPlace, day: string): Promise<string> {
  const text = await resultText(place, day);
  if (text !== null) return text;
  const job = jobUrl(place, day);
  throw inputError(
    `no result of ${job}: it has not been run, or has failed`,
    `Submit it: spark-submit … ${place.url}/driver.py ${job}`,
  );
}

/** The day as the lake has it now, which must be as it was when its job was emitted. */
async function sameDay(emitted: EmittedDay, options: RebuildOptions, effects: RebuildEffects) {
  const plan = await planDays({ ...options, days: { kind: "date", date: emitted.day } }, effects);
  const [day] = plan.days;
  if (day === undefined || inputsFingerprint(day) !== emitted.inputs) {
    throw inputError(`the lake has changed since the job of ${emitted.day} was emitted`, "Emit it again.");
  }
  const known = planDefinitions(options);
  const definitions = emitted.definitions.map(({ name, version, hash }) => {
    const found = known.find((definition) => definition.name === name && definition.version === version);
    if (found?.hash === hash) return found;
    throw usageError(
      `${name}@${version} is not as it was when the job was emitted`,
      "Put its file back, or emit again.",
    );
  });
  return { day, definitions, oddities: plan.oddities };
}

async function commitOf(store: ObjectStore, date: string, number: number): Promise<Commit | null> {
  if (number === 0) return null;
  const commit = await readCommit(store, date, number);
  if (commit !== null) return commit;
  throw new PresenceError(EXIT.usage, `${store.location} is not the mart for which the job was emitted`, {
    hint: `It has no commit ${number} of ${date}. Emit again.`,
  });
}

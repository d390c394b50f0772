import { mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DuckDbSession } from "../engine/duckdb/session.ts";
import { PresenceError } from "../errors.ts";
import { listLake } from "../lake/listing.ts";
import { dayWindow, timeZoneDataVersion } from "../plan/days.ts";
import { defaultMemoryLimit } from "../plan/resources.ts";
import { DEFAULT_S3 } from "../plan/s3-options.ts";
import { readMart } from "../publish/mart-identity.ts";
import { credentialsUntil } from "../storage/s3-client.ts";
import { INPUT_EXITS, s3Failure } from "../storage/s3-failure.ts";
import { isS3 } from "../storage/s3-location.ts";
import { lakeStore } from "./lake-access.ts";
import { type MartEffects, martStore } from "./mart-access.ts";

export interface DoctorOptions {
  /** Null where none is given: then it is not looked at. */
  readonly lake: string | null;
  readonly out: string | null;
  readonly zone: string | null;
  readonly tempDir: string | null;
  readonly memoryLimitBytes: number | null;
}

export interface DoctorCheck {
  readonly check: "time zones" | "temp space" | "memory" | "credentials" | "lake" | "mart" | "conditional writes";
  readonly state: "ok" | "warning" | "failed" | "skipped";
  /** What was found, or what is wrong. */
  readonly says: string;
  /** How to mend it; null where nothing is to be mended. */
  readonly mend: string | null;
}

export interface DoctorResult {
  readonly checks: readonly DoctorCheck[];
  readonly failed: number;
}

type Found = Omit<DoctorCheck, "check">;

const GIB = 1_073_741_824;
const LEAST_SPACE = GIB;
const LEAST_MEMORY = GIB / 4;

/** Looks at everything that a rebuild relies on, and goes on where something is wrong. Leaves nothing behind. */
export async function doctor(options: DoctorOptions, effects: MartEffects): Promise<DoctorResult> {
  const { lake, out } = options;
  const checks: DoctorCheck[] = [];
  const look = async (check: DoctorCheck["check"], work: () => Promise<Found> | Found) => {
    effects.signal.throwIfAborted();
    const found = await Promise.resolve().then(work).catch(failure);
    checks.push({ check, ...found });
    return found.state !== "failed";
  };
  await look("time zones", () => timeZones(options.zone, effects.nowMs));
  await look("temp space", () => tempSpace(resolve(options.tempDir ?? tmpdir())));
  await look("memory", () => memory(options.memoryLimitBytes));
  const onS3 = [lake, out].some((location) => location !== null && isS3(location));
  if (onS3) await look("credentials", () => credentials(effects));
  await look("lake", () => (lake === null ? skipped("--lake") : lakeFound(lake, effects)));
  const usable = await look("mart", () => (out === null ? skipped("--out") : martFound(out, effects)));
  if (out !== null && usable) await look("conditional writes", () => conditionalWrites(out, effects));
  return { checks, failed: checks.filter(({ state }) => state === "failed").length };
}

const ok = (says: string): Found => ({ state: "ok", says, mend: null });
const warning = (says: string, mend: string): Found => ({ state: "warning", says, mend });
const skipped = (flag: string): Found => ({ state: "skipped", says: `not looked at: no ${flag} is given`, mend: null });

function failure(error: unknown): Found {
  if (error instanceof PresenceError) return { state: "failed", says: error.message, mend: error.hint ?? null };
  const says = error instanceof Error ? error.message : String(error);
  return { state: "failed", says, mend: "See what the system says above, or run rebuild with --debug." };
}

function timeZones(zone: string | null, nowMs: number): Found {
  const version = timeZoneDataVersion();
  if (zone === null) return ok(`data of ${version}`);
  const { startMs } = dayWindow(zone, new Date(nowMs).toISOString().slice(0, 10));
  return ok(`data of ${version}; a day of ${zone} begins at ${new Date(startMs).toISOString()}`);
}

async function tempSpace(parent: string): Promise<Found> {
  const folder = await mkdtemp(join(parent, "presence-batch-doctor-"));
  try {
    await writeFile(join(folder, "probe"), "");
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const says = `${parent} has ${(free / GIB).toFixed(1)} GiB free`;
    return free >= LEAST_SPACE ? ok(says) : warning(says, "Free space, or point --temp-dir to a larger disk.");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function memory(asked: number | null): Promise<Found> {
  const allowed = defaultMemoryLimit();
  const limit = asked ?? allowed;
  const folder = await mkdtemp(join(tmpdir(), "presence-batch-doctor-"));
  try {
    const session = await DuckDbSession.open({ folder, threads: 1, memoryLimitBytes: limit });
    await session.run("select 1").finally(() => session.close());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const gib = (bytes: number) => `${(bytes / GIB).toFixed(1)} GiB`;
  const says = `the engine starts with a limit of ${gib(limit)}`;
  if (limit < LEAST_MEMORY) return warning(says, "A day of any size needs more: raise --memory-limit.");
  const mend = `Leave --memory-limit out: ${gib(allowed)} is 60 % of what machine and cgroup allow.`;
  return limit > allowed / 0.6 ? warning(`${says}, more than there is`, mend) : ok(says);
}

async function credentials({ s3 = DEFAULT_S3, nowMs }: MartEffects): Promise<Found> {
  const until = await credentialsUntil(s3).catch((error: unknown) => {
    throw s3Failure(error, "S3", INPUT_EXITS);
  });
  if (until === null) return ok("found");
  const says = `found; they end at ${until.toISOString()}`;
  return until.getTime() - nowMs > 600_000 ? ok(says) : warning(says, "Renew them before a long run.");
}

async function lakeFound(lake: string, effects: MartEffects): Promise<Found> {
  const store = lakeStore(lake, effects);
  // No hour overlaps an empty window: only the names of the dates are listed.
  const { oddities } = await listLake(lake, { fromMs: 0, toMs: 0 }, store);
  if (oddities.length === 0) return ok(`${lake} has dates`);
  const [first] = oddities;
  return warning(`${lake} has dates, and what is no data: ${first!.path} (${first!.reason})`, "It is passed over.");
}

async function martFound(out: string, effects: MartEffects): Promise<Found> {
  const store = martStore(out, effects);
  const mart = await readMart(store);
  return ok(mart ? `${out} is a mart of ${mart.identity.zone}` : `${out} has no mart yet: the first rebuild makes it`);
}

async function conditionalWrites(out: string, effects: MartEffects): Promise<Found> {
  await martStore(out, effects).assertUsable();
  return ok(isS3(out) ? "of two writes one wins" : "the folder can be written");
}

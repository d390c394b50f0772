import { compareFigures } from "../drift/compare.ts";
import type { DriftResult } from "../drift/drift-result.ts";
import { declaredDefinitions, loadRealtime } from "../drift/load-realtime.ts";
import { knownMinutes, loadOffline } from "../drift/offline-figures.ts";
import { DIMENSIONS, realtimeShape } from "../drift/realtime-columns.ts";
import { openRealtime, type RealtimeFile } from "../drift/realtime-file.ts";
import type { Reasons } from "../drift/reasons.ts";
import { chooseSuspects, type Suspects } from "../drift/suspects.ts";
import { limitsOf } from "../drift/thresholds.ts";
import { worstVerdict } from "../drift/verdict.ts";
import type { DuckDbSession } from "../engine/duckdb/session.ts";
import { EXIT, inputError, PresenceError } from "../errors.ts";
import { defaultMemoryLimit } from "../plan/resources.ts";
import { withPrivateFolder } from "../publish/private-folder.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { type DriftBasis, type DriftOptions, driftBasis } from "./drift-basis.ts";
import { recordDrift } from "./drift-history.ts";
import { driftReasons } from "./drift-reasons.ts";
import type { MartEffects } from "./mart-access.ts";
import { withSession } from "./mart-session.ts";

/** A comparison, and the key of its object in the mart's history; null where it is not recorded. */
export interface RecordedDrift {
  readonly result: DriftResult;
  readonly recordedAs: string | null;
  readonly warnings: readonly string[];
}

/**
 * Compares a realtime layer's figures with the mart's. Writes nothing but an object of the mart's history. Figures that are not of
 * the same are a result, too, without figures.
 */
export async function drift(options: DriftOptions, effects: MartEffects): Promise<RecordedDrift> {
  return withPrivateFolder(options.tempDir, async (folder) => {
    const { threads, memoryLimitBytes: limit } = options;
    const memoryLimitBytes = limit ?? defaultMemoryLimit();
    const session = <T>(reads: readonly string[], work: (session: DuckDbSession) => Promise<T>) =>
      withSession({ folder, threads, memoryLimitBytes, reads }, effects.signal, work);
    const file = await session([options.realtime], async (looking) => {
      const opened = await openRealtime(looking, options.realtime);
      const shape = realtimeShape(opened);
      return { opened, shape, declared: await declaredDefinitions(looking, opened, shape) };
    });
    const basis = await driftBasis(options, { ...file, folder }, effects);
    const compared =
      basis.notComparable === null
        ? await session([options.realtime, basis.file], (comparing) =>
            compareDay(comparing, options, basis, file.opened, effects),
          )
        : { result: emptyResult(options, basis, file.opened, effects), suspects: null };
    const { suspects } = compared;
    const found = suspects === null ? NO_REASONS : await reasonsOf(options, basis, suspects, effects);
    const result = { ...compared.result, reasons: found.reasons };
    const recorded = options.record ? await recordedOf(basis.store, result) : NOT_RECORDED;
    return { result, recordedAs: recorded.recordedAs, warnings: [...found.warnings, ...recorded.warnings] };
  });
}

const NO_REASONS = { reasons: null, warnings: [] };
const NOT_RECORDED = { recordedAs: null, warnings: [] };

/** A lake that has no answer takes nothing from the comparison. */
async function reasonsOf(
  { lake, ...options }: DriftOptions,
  basis: DriftBasis,
  suspects: Suspects,
  effects: MartEffects,
): Promise<Pick<RecordedDrift, "warnings"> & { readonly reasons: Reasons | null }> {
  if (lake === null) return NO_REASONS;
  try {
    return { reasons: await driftReasons({ ...options, lake }, basis, suspects, effects), warnings: [] };
  } catch (error) {
    if (!(error instanceof PresenceError) || error.exitCode !== EXIT.input) throw error;
    return { reasons: null, warnings: [`no reasons can be told: ${error.message}`] };
  }
}

/** Whoever may only read the mart still gets the comparison. */
async function recordedOf(
  store: ObjectStore,
  result: DriftResult,
): Promise<Pick<RecordedDrift, "recordedAs" | "warnings">> {
  try {
    return { recordedAs: await recordDrift(store, result), warnings: [] };
  } catch (error) {
    if (!(error instanceof PresenceError)) throw error;
    return { recordedAs: null, warnings: [`the comparison is not recorded: ${error.message}`] };
  }
}

async function compareDay(
  session: DuckDbSession,
  options: DriftOptions,
  basis: DriftBasis,
  file: RealtimeFile,
  effects: MartEffects,
): Promise<{ result: DriftResult; suspects: Suspects | null }> {
  const { shape, day, metric, version } = basis;
  const { atMs, withinMs } = options;
  const empty = emptyResult(options, basis, file, effects);
  if (shape.scope === "minutes") await knownMinutes(session, basis.file);
  const scores = atMs !== null && withinMs !== null ? { fromMs: atMs - withinMs, toMs: atMs } : null;
  const { rows, leftAside } = await loadRealtime(session, file, shape, {
    ...{ day, metric, version, scores },
    minutes: shape.scope === "minutes",
  });
  const realtime = { ...empty.realtime, rows, leftAside };
  if (rows > 0 && leftAside.otherDates === rows) {
    const notComparable = `the realtime figures are of other dates than ${day}`;
    return { result: { ...empty, realtime, notComparable }, suspects: null };
  }
  if (shape.scope === "dimensions") await refuseOtherDimensions(session, file);
  const { limits } = empty;
  const instant = atMs === null ? null : { atMs, toleranceMs: limits.toleranceMs };
  await loadOffline(session, basis.file, shape, instant);
  const compared = await compareFigures(session, shape.scope, limits, options.worst);
  const result = { ...empty, realtime, compared, verdict: worstVerdict(compared.gates), notComparable: null };
  const asked = options.lake !== null && shape.scope === "users" && compared.worst.length > 0;
  return { result, suspects: asked ? await chooseSuspects(session, limits.toleranceMs, options.worst) : null };
}

async function refuseOtherDimensions(session: DuckDbSession, { path }: RealtimeFile): Promise<void> {
  const known = ["total", ...DIMENSIONS];
  const found = (await session.rows("select distinct subject from head_figures order by subject")).map((row) =>
    String(row.subject),
  );
  const unknown = found.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw inputError(`${path} has figures of ${unknown.join(", ")}`, `The mart has ${known.join(", ")}.`);
}

/** Everything but the comparison itself. */
function emptyResult(
  options: DriftOptions,
  { zone, day, metric, version, part, shape, notComparable }: DriftBasis,
  { path, format }: RealtimeFile,
  { nowMs }: Pick<MartEffects, "nowMs">,
): DriftResult {
  return {
    ...{ day, zone, metric, version, scope: shape.scope },
    at: options.atMs === null ? null : new Date(options.atMs).toISOString(),
    out: options.out,
    runId: part.run,
    complete: part.complete,
    realtime: {
      ...{ file: path, format, rows: 0 },
      leftAside: { otherDates: 0, otherDefinitions: 0, otherMinutes: 0, otherScores: 0 },
    },
    comparedAt: new Date(nowMs).toISOString(),
    limits: limitsOf(shape.scope, options.thresholds),
    verdict: "not comparable",
    notComparable,
    compared: null,
    reasons: null,
    notes: part.complete ? [] : ["the offline figures of the day are incomplete (see presence-batch status)"],
  };
}

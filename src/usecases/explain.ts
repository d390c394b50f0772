import type { Definition } from "../definitions/definition.ts";
import { definitionId } from "../definitions/resolve.ts";
import type { DuckDbSession } from "../engine/duckdb/session.ts";
import { type ExplainedUser, explainUser, type ListOptions } from "../explain/explain-user.ts";
import type { ExplainedDefinition } from "../explain/explained-definition.ts";
import type { Explanation } from "../explain/explanation.ts";
import { gatheredFiles, gatherRows } from "../explain/gather-rows.ts";
import { compareWithMart, type MartDay, martDay, otherVerdicts } from "../explain/mart-row.ts";
import { runUserStages } from "../explain/run-stages.ts";
import { unknownUser } from "../explain/unknown-user.ts";
import type { DayRequest } from "../plan/days.ts";
import { readHead } from "../publish/commit.ts";
import { inputsFingerprint } from "./day-inputs.ts";
import { type DayPlan, planDays } from "./day-plan.ts";
import { type ReadFiles, withDaySession } from "./day-session.ts";
import { type AskedBasis, type ExplainBasis, explainBasis } from "./explain-basis.ts";
import { incompleteness } from "./incompleteness.ts";
import { joinFiles } from "./join-files.ts";
import { lakeStore, withOneDay } from "./lake-access.ts";
import { type MartEffects, martStore } from "./mart-access.ts";

export interface ExplainOptions extends AskedBasis, ListOptions {
  readonly userId: string;
  readonly days: DayRequest;
  readonly lake: string;
  /** The mart to compare with; null for none. */
  readonly out: string | null;
  readonly threads: number | null;
  readonly memoryLimitBytes: number | null;
  readonly tempDir: string | null;
}

/**
 * Explains one user's number of one day from the lake, and holds it against the mart's row. Reads the rows that the number
 * depends on, and of the other files only the columns with ids.
 */
export async function explain(options: ExplainOptions, effects: MartEffects): Promise<Explanation> {
  const store = options.out === null ? null : martStore(options.out, effects);
  const basis = await explainBasis(store, options);
  const plan = await planDays({ ...options, ...basis }, effects);
  const listed = plan.days[0]!;
  const head = store && (await readHead(store, listed.window.day));
  return withOneDay(listed, lakeStore(options.lake, effects), { ...options, ...effects }, async (opened, folder) => {
    const mart =
      store && head ? await martDay(store, head, basis.definitions.map(definitionId), folder, joinFiles) : null;
    const reads = [...(mart?.files.values() ?? [])];
    const { settings } = basis;
    return withDaySession(opened, { ...options, settings, folder, reads, signal: effects.signal }, (session, files) =>
      explainDay(session, options, basis, { day: opened.day, mart, files }),
    );
  });
}

interface Sources {
  readonly day: DayPlan;
  readonly mart: MartDay | null;
  readonly files: ReadFiles;
}

async function explainDay(
  session: DuckDbSession,
  options: ExplainOptions,
  basis: ExplainBasis,
  { day, mart, files }: Sources,
): Promise<Explanation> {
  const { settings, definitions, zone } = basis;
  const { good, bad, access } = files;
  await gatherRows(session, good, settings, [options.userId], access);
  const by = { settings, window: day.window, definitions };
  await runUserStages(session, await gatheredFiles(session, good, settings, access), by);
  const user = await explainUser(session, options.userId, by, options);
  if (user.totals.events === 0) throw await unknownUser(session, files, settings, options.userId, day.window.day);
  const [rows] = await session.rows("select count(distinct event_no // 4294967296) as files from gathered");
  const explained = await Promise.all(
    definitions.map((definition, metricNo) => explainedDefinition(session, options, definition, user, metricNo, mart)),
  );
  return {
    userId: options.userId,
    day: day.window.day,
    zone,
    dayMs: { startMs: day.window.startMs, endMs: day.window.endMs },
    readMs: day.readWindow,
    source: {
      lake: options.lake,
      files: good.length,
      filesWithRows: Number(rows?.files ?? 0),
      mart: options.out,
      settingsFrom: basis.settingsFrom,
    },
    counts: user.totals,
    events: user.list.events,
    eventsLeftOut: user.list.leftOut,
    sessions: user.sessions,
    definitions: explained,
    notes: [...incompleteness(day, bad), ...(await martNotes(session, options, day, mart, explained))],
  };
}

async function explainedDefinition(
  session: DuckDbSession,
  options: ExplainOptions,
  definition: Definition,
  user: ExplainedUser,
  metricNo: number,
  mart: MartDay | null,
): Promise<ExplainedDefinition> {
  const { expression: _, states: __, description: ___, maxShiftMs: ____, ...told } = definition;
  const times = user.times[metricNo]!;
  const compared =
    options.out === null
      ? ({ kind: "not-asked" } as const)
      : await compareWithMart(session, mart, definitionId(definition), options.userId, times.onlineMs);
  return { ...told, ...times, mart: compared };
}

/** Where the mart says something else: why, as far as it can be told from what its runs have read. */
async function martNotes(
  session: DuckDbSession,
  options: ExplainOptions,
  day: DayPlan,
  mart: MartDay | null,
  definitions: readonly ExplainedDefinition[],
): Promise<string[]> {
  if (!mart) return [];
  const inputs = inputsFingerprint(day);
  const notes = definitions.flatMap(({ name, version, mart: compared }) => {
    if (compared.kind !== "row" || compared.equal) return [];
    const part = mart.commit.parts[definitionId({ name, version })]!;
    const why =
      part.inputs === inputs
        ? "from the same files: this is a fault of the program, please report it"
        : "from other files than the lake has now (see presence-batch status): rebuild the day";
    return [`${definitionId({ name, version })}: the mart's row was built ${why}`];
  });
  const others = await otherVerdicts(session, mart, options.userId);
  if (others === 0) return notes;
  return [...notes, `${others} of the user's events of the day are quarantined otherwise in the mart than told here`];
}

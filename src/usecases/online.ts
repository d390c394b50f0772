import type { Definition } from "../definitions/definition.ts";
import { definitionId } from "../definitions/resolve.ts";
import type { DuckDbSession } from "../engine/duckdb/session.ts";
import { inputError, usageError } from "../errors.ts";
import { lakeFiles } from "../lake/lake-files.ts";
import type { OnlineAnswer, OnlineInMart } from "../online/answer.ts";
import { askInstant, compareWithMart, countTimes, readOnlineUsers, readTotals } from "../online/count-online.ts";
import { dayAt, utcHours } from "../plan/days.ts";
import { readHead } from "../publish/commit.ts";
import { runTable } from "../publish/run-table.ts";
import { type DayPlan, hourName, planDays } from "./day-plan.ts";
import { type ReadFiles, withDaySession } from "./day-session.ts";
import { type AskedBasis, explainBasis } from "./explain-basis.ts";
import { incompleteness } from "./incompleteness.ts";
import { joinFiles } from "./join-files.ts";
import { lakeStore, withOneDay } from "./lake-access.ts";
import { type MartEffects, martStore } from "./mart-access.ts";

/** The question; null where it is left to the mart, or to the defaults. */
export interface OnlineOptions extends AskedBasis {
  /** Ms of Unix time. */
  readonly atMs: number;
  readonly lake: string;
  /** The mart to compare with; null for none. */
  readonly out: string | null;
  /** Most users to list. */
  readonly limit: number;
  readonly threads: number | null;
  readonly memoryLimitBytes: number | null;
  readonly tempDir: string | null;
}

/**
 * Who was online at an instant under one definition, counted from the lake as the day of that instant is. Exit 3 where the lake
 * does not have the instant's hour: unknown is not offline.
 */
export async function online(options: OnlineOptions, effects: MartEffects): Promise<OnlineAnswer> {
  const store = options.out === null ? null : martStore(options.out, effects);
  const basis = await explainBasis(store, options);
  const definition = oneDefinition(basis.definitions);
  const date = dayAt(basis.zone, options.atMs);
  const plan = await planDays({ ...options, ...basis, days: { kind: "date", date } }, effects);
  const listed = plan.days[0]!;
  assertKnown(listed, options);
  const part = store && (await readHead(store, date))?.parts[definitionId(definition)];
  return withOneDay(listed, lakeStore(options.lake, effects), { ...options, ...effects }, async (opened, folder) => {
    const { day } = opened;
    const file = store && part && (await runTable(store, part, "user_intervals", folder, joinFiles));
    const mart = file ? { file, runId: part.run } : null;
    const { settings } = basis;
    const reads = mart ? [mart.file] : [];
    return withDaySession(
      opened,
      { ...options, settings, folder, reads, signal: effects.signal },
      async (session, files) => {
        const lake = lakeFiles(files.good, settings, files.access);
        await countTimes(session, lake, { settings, window: day.window, definition });
        await askInstant(session, options.atMs);
        return {
          ...(await answered(session, options, definition, { day, files })),
          mart: await inMart(session, options, mart),
        };
      },
    );
  });
}

function oneDefinition(definitions: readonly Definition[]): Definition {
  const [definition, ...others] = definitions;
  if (others.length === 0) return definition!;
  const names = definitions.map(definitionId).join(", ");
  throw usageError(`which definition: ${names}?`, "One at a time decides who is online: give one with --metric.");
}

function assertKnown({ missingHours, window }: DayPlan, { atMs, lake }: OnlineOptions): void {
  const hour = utcHours(atMs, atMs + 1)[0]!;
  if (!missingHours.includes(hour)) return;
  throw inputError(
    `${lake} does not have the hour ${hourName(hour)} (UTC) of ${window.day}: who was online then is not known`,
    "Let the lake fill up and ask again, or ask for another instant.",
  );
}

async function answered(
  session: DuckDbSession,
  { atMs, lake, out, limit }: OnlineOptions,
  definition: Definition,
  { day, files }: { readonly day: DayPlan; readonly files: ReadFiles },
): Promise<Omit<OnlineAnswer, "mart">> {
  const { window } = day;
  return {
    atMs,
    day: window.day,
    zone: window.zone,
    dayMs: { startMs: window.startMs, endMs: window.endMs },
    metric: definition.name,
    version: definition.version,
    lake,
    out,
    ...(await readTotals(session)),
    online: await readOnlineUsers(session, definition, limit),
    notes: incompleteness(day, files.bad),
  };
}

async function inMart(
  session: DuckDbSession,
  { out, atMs }: OnlineOptions,
  mart: { readonly file: string; readonly runId: string } | null,
): Promise<OnlineInMart> {
  if (out === null) return { kind: "not-asked" };
  if (mart === null) return { kind: "not-built" };
  return { kind: "users", runId: mart.runId, ...(await compareWithMart(session, mart.file, atMs)) };
}

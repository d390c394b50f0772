import { type Ids, idFilter } from "../engine/duckdb/reading/id-filter.ts";
import { lakeReading } from "../engine/duckdb/reading/lake-reading.ts";
import { type ReadingSettings, rawEventsSelect } from "../engine/duckdb/reading/raw-events.ts";
import type { DuckDbSession } from "../engine/duckdb/session.ts";
import type { LakeFiles, LakeReading } from "../engine/engine.ts";
import { type FileAccess, LOCAL_FILES } from "../lake/file-access.ts";
import type { ProbedFile } from "../lake/probed-file.ts";

/** More ids than these are looked up in a relation rather than written into the statement. */
const MAX_WRITTEN_IDS = 200;

/**
 * Takes from the lake, into `gathered`, all rows on which the users' numbers can depend:
 *
 * - the users' own rows;
 * - all rows of the sessions that these name: rules R7 (second half) to R20 look at whole sessions, and a session without any
 *   row of a user never belongs to the user (R8);
 * - all rows that share an event id with one of these: R7 (first half) keeps the first of them. What sessions those are of does
 *   not matter further, since whether a row is the first depends on no rule but R1 to R6.
 *
 * Ids are gathered whether or not their rows are valid: a few rows more than needed change nothing.
 */
export async function gatherRows(
  session: DuckDbSession,
  files: readonly ProbedFile[],
  settings: ReadingSettings,
  users: Ids,
  access: FileAccess = LOCAL_FILES,
): Promise<void> {
  const byUser = idFilter("user_id", users);
  await fill(session, "gathered", access, files, (batch) => rawEventsSelect(batch, settings, byUser));
  for (const column of ["session_id", "event_id"] as const) {
    const filter = idFilter(column, await idsOf(session, column));
    // Mostly there are no further rows: so the ids alone are read of all files, and the other columns of few.
    await fill(
      session,
      "further",
      access,
      files,
      (batch) => `select r.event_no from (${rawEventsSelect(batch, settings, filter)}) r
        where r.event_no not in (select event_no from gathered)`,
    );
    const own = await filesWith(session, files, "further");
    if (own.length === 0) continue;
    await access.read(own, (batch) =>
      session.run(`insert into gathered select r.*
        from (${rawEventsSelect(batch, settings, filter)}) r where r.event_no in (select event_no from further)`),
    );
  }
}

/** Makes a table, or makes it anew, of a SELECT over files that are read some after the other. */
async function fill(
  session: DuckDbSession,
  table: string,
  access: FileAccess,
  files: readonly ProbedFile[],
  select: (batch: readonly ProbedFile[]) => string,
): Promise<void> {
  let target = `create or replace table ${table} as`;
  await access.read(files, async (batch) => {
    await session.run(`${target} ${select(batch)}`);
    target = `insert into ${table}`;
  });
}

async function idsOf(session: DuckDbSession, column: "event_id" | "session_id"): Promise<Ids> {
  const relation = `gathered_${column}s`;
  await session.run(`create or replace table ${relation} as
    select distinct ${column} as id from gathered where ${column} is not null`);
  const ids = await session.rows(`select id from ${relation} limit ${MAX_WRITTEN_IDS + 1}`);
  return ids.length > MAX_WRITTEN_IDS ? { relation } : ids.map(({ id }) => String(id));
}

/** The lake as if it held the gathered rows only; files keep their numbers, since R7 orders by them. */
export async function gatheredFiles(
  session: DuckDbSession,
  files: readonly ProbedFile[],
  settings: ReadingSettings,
  access: FileAccess = LOCAL_FILES,
): Promise<LakeFiles> {
  const own = await filesWith(session, files, "gathered");
  const gathered = (select: string) => `select * from (${select}) where event_no in (select event_no from gathered)`;
  const reading = (batch: readonly ProbedFile[]): LakeReading => {
    const { textColumns, otherColumns } = lakeReading(batch, settings, files);
    const fileNos = batch.map(({ fileNo }) => fileNo);
    const rawEvents = `select * from gathered where list_contains([${fileNos}]::bigint[], event_no // 4294967296)`;
    return {
      rawEvents,
      rawEventsIn: (relation) => `${rawEvents} and event_no in (select event_no from ${relation})`,
      textColumns: (names) => gathered(textColumns(names)),
      otherColumns: otherColumns && { ...otherColumns, select: gathered(otherColumns.select) },
    };
  };
  return {
    sourceFiles: own.map(({ fileNo, relative }) => ({ fileNo, path: relative })),
    read: (work, { fileNos } = {}) =>
      access.read(fileNos ? own.filter(({ fileNo }) => fileNos.has(fileNo)) : own, (batch) => work(reading(batch))),
  };
}

/** The files that hold rows of a relation. */
async function filesWith(
  session: DuckDbSession,
  files: readonly ProbedFile[],
  relation: "gathered" | "further",
): Promise<ProbedFile[]> {
  const found = await session.rows(`select distinct event_no // 4294967296 as file_no from ${relation}`);
  const fileNos = new Set(found.map(({ file_no }) => Number(file_no)));
  return files.filter(({ fileNo }) => fileNos.has(fileNo));
}

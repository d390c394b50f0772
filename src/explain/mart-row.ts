import { sqlPath, sqlText } from "../engine/duckdb/reading/sql-text.ts";
import type { DuckDbSession } from "../engine/duckdb/session.ts";
import { type Commit, EVENTS, type Part } from "../publish/commit.ts";
import { type JoinFiles, runTable } from "../publish/run-table.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import type { MartComparison } from "./explained-definition.ts";

/** A committed day as far as one user is concerned: local files of the runs that its parts are taken from. */
export interface MartDay {
  readonly commit: Commit;
  /** By part: the file of `user_daily`, and of `quarantined_events` for the part that is the day's events. */
  readonly files: ReadonlyMap<string, string>;
}

/** Brings what is needed of a commit to this machine. */
export async function martDay(
  store: ObjectStore,
  commit: Commit,
  definitionIds: readonly string[],
  folder: string,
  joinFiles: JoinFiles,
): Promise<MartDay> {
  const files = new Map<string, string>();
  for (const id of [...definitionIds, EVENTS]) {
    const part: Part | undefined = commit.parts[id];
    const table = id === EVENTS ? "quarantined_events" : "user_daily";
    const file = part && (await runTable(store, part, table, folder, joinFiles));
    if (file) files.set(id, file);
  }
  return { commit, files };
}

/** The mart's figure of a user beside the explained one. */
export async function compareWithMart(
  session: DuckDbSession,
  day: MartDay | null,
  definitionId: string,
  userId: string,
  onlineMs: number,
): Promise<MartComparison> {
  const file = day?.files.get(definitionId);
  if (!day || file === undefined) return { kind: "not-built" };
  const [row] = await session.rows(
    `select online_ms from read_parquet([${sqlPath(file)}], hive_partitioning = false) where user_id = ${sqlText(userId)}`,
  );
  const stored = Number(row?.online_ms ?? 0);
  return { kind: "row", runId: day.commit.parts[definitionId]!.run, onlineMs: stored, equal: stored === onlineMs };
}

/** How many of the user's events of the day were quarantined otherwise by the run than by the explanation; for a note. */
export async function otherVerdicts(session: DuckDbSession, day: MartDay, userId: string): Promise<number> {
  const file = day.files.get(EVENTS);
  if (file === undefined) return 0;
  const [row] = await session.rows(`
    select count(*) as others
    from (
      select f.path as source_file, e.event_no % 4294967296 as source_row, e.reason
      from explained_events e
      join source_files f on f.file_no = e.event_no // 4294967296
      where e.reason is not null and e.of_user and e.owned_by_day
    ) e
    full join (
      select source_file, source_row, reason
      from read_parquet([${sqlPath(file)}], hive_partitioning = false)
      where user_id = ${sqlText(userId)}
    ) q using (source_file, source_row, reason)
    where e.reason is null or q.reason is null`);
  return Number(row?.others ?? 0);
}

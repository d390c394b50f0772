import { type ReadingSettings, rawEventsSelect } from "../engine/duckdb/reading/raw-events.ts";
import { sqlText } from "../engine/duckdb/reading/sql-text.ts";
import type { DuckDbSession } from "../engine/duckdb/session.ts";
import { inputError, type PresenceError } from "../errors.ts";
import type { FileAccess } from "../lake/file-access.ts";
import type { ProbedFile } from "../lake/probed-file.ts";

const SUGGESTED = 3;

/** Exit 3: a user without any event in the read window is most likely a typo, so near ids are looked for. */
export async function unknownUser(
  session: DuckDbSession,
  { good, access }: { readonly good: readonly ProbedFile[]; readonly access: FileAccess },
  settings: ReadingSettings,
  userId: string,
  day: string,
): Promise<PresenceError> {
  const user = sqlText(userId);
  const allowed = Math.max(1, Math.floor(userId.length / 4));
  await session.run("create table near_users (user_id varchar)");
  await access.read(good, (batch) =>
    session.run(`insert into near_users
      select user_id from (select distinct user_id from (${rawEventsSelect(batch, settings)}) where user_id is not null)
      where abs(length(user_id) - length(${user})) <= ${allowed} and user_id <> ${user}
        and levenshtein(lower(user_id), lower(${user})) <= ${allowed}`),
  );
  const near = await session.rows(`select user_id from (select distinct user_id from near_users)
    order by levenshtein(lower(user_id), lower(${user})), user_id limit ${SUGGESTED}`);
  const ids = near.map(({ user_id }) => String(user_id));
  return inputError(
    `no event of user ${userId} in the read window of ${day}`,
    ids.length > 0
      ? `Did you mean ${ids.join(" or ")}?`
      : "Ids are compared exactly, letter by letter: check it, and the day.",
  );
}

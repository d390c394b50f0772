import type { DuckDbSession, Row } from "../engine/duckdb/session.ts";
import type { Suspect } from "./find-reasons.ts";

/** Users that are counted again for the total, at most: enough to tell reasons apart, and few enough for any lake. */
const SAMPLE_USERS = 300;

export interface Suspects {
  readonly users: readonly Suspect[];
  /** How many users differ at all. */
  readonly differing: number;
}

/**
 * Of `figure_differences`: the worst users, and a sample of all that differ, in the order of a hash of their ids, so that the same
 * figures always have the same sample.
 */
export async function chooseSuspects(session: DuckDbSession, toleranceMs: number, worst: number): Promise<Suspects> {
  const differing = `figure_differences where abs(difference) > ${toleranceMs}`;
  const [counted] = await session.rows(`select count(*) as users from ${differing}`);
  const sample = await session.rows(`select * from ${differing} order by md5(subject), subject limit ${SAMPLE_USERS}`);
  const largest = await session.rows(
    `select * from ${differing} order by abs(difference) desc, subject limit ${worst}`,
  );
  const suspects = new Map<string, Suspect>();
  for (const row of sample) suspects.set(String(row.subject), suspect(row, { isWorst: false, isSample: true }));
  // The worst ones come last into the list, in their order.
  for (const row of largest) {
    const userId = String(row.subject);
    const isSample = suspects.delete(userId);
    suspects.set(userId, suspect(row, { isWorst: true, isSample }));
  }
  return { users: [...suspects.values()], differing: Number(counted!.users) };
}

const suspect = ({ subject, base, head }: Row, as: Pick<Suspect, "isWorst" | "isSample">): Suspect => ({
  userId: String(subject),
  offlineMs: Number(base ?? 0),
  realtimeMs: Number(head ?? 0),
  ...as,
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Definition } from "../../src/definitions/definition.ts";
import { DuckDbSession } from "../../src/engine/duckdb/session.ts";
import { type ExplainedUser, explainUser, type ListOptions } from "../../src/explain/explain-user.ts";
import { gatheredFiles, gatherRows } from "../../src/explain/gather-rows.ts";
import { runUserStages } from "../../src/explain/run-stages.ts";
import type { LakeFile } from "../../src/lake/lake-file.ts";
import { listLake } from "../../src/lake/listing.ts";
import { probeFiles } from "../../src/lake/probe.ts";
import type { Probe } from "../../src/lake/probed-file.ts";
import type { DayWindow } from "../../src/plan/day-window.ts";
import type { LakeSettings } from "../../src/plan/settings.ts";

export interface Case {
  readonly lake: string;
  readonly settings: LakeSettings;
  readonly window: DayWindow;
  readonly definitions: readonly Definition[];
}

/** The files of a small lake, all of them. */
export async function filesOf(lake: string): Promise<readonly LakeFile[]> {
  return (await listLake(lake, { fromMs: -8e15, toMs: 8e15 })).files;
}

/** Explains users of a lake as the use case does, one after the other, and hands each one's session to `read`. */
export async function explainUsers<T>(
  { lake, ...by }: Case,
  users: readonly string[],
  options: ListOptions,
  read: (user: string, explained: ExplainedUser, session: DuckDbSession) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  const files = await filesOf(lake);
  let probed: Promise<Probe> | undefined;
  const folder = await mkdtemp(join(tmpdir(), "explain-test-"));
  try {
    for (const user of users) {
      const session = await DuckDbSession.open({
        folder,
        threads: 1,
        memoryLimitBytes: null,
        reads: files.map((file) => file.path),
      });
      try {
        probed ??= probeFiles(files, by.settings, (sql) => session.rows(sql));
        const { good } = await probed;
        await gatherRows(session, good, by.settings, [user]);
        await runUserStages(session, await gatheredFiles(session, good, by.settings), by);
        results.push(await read(user, await explainUser(session, user, by, options), session));
      } finally {
        await session.close();
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return results;
}

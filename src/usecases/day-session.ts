import type { DuckDbSession } from "../engine/duckdb/session.ts";
import { PresenceError } from "../errors.ts";
import type { BadFile } from "../lake/bad-file.ts";
import type { FileAccess } from "../lake/file-access.ts";
import { probeFiles } from "../lake/probe.ts";
import type { ProbedFile, RunSql } from "../lake/probed-file.ts";
import { findUnreadable } from "../lake/read-errors.ts";
import { assertUnchanged } from "../lake/recheck.ts";
import { defaultMemoryLimit } from "../plan/resources.ts";
import type { LakeSettings } from "../plan/settings.ts";
import type { DayPlan } from "./day-plan.ts";
import type { OpenedDay } from "./lake-access.ts";
import { withSession } from "./mart-session.ts";

/** How a day's files are read. */
export interface DaySessionOptions {
  readonly settings: LakeSettings;
  readonly threads: number | null;
  readonly memoryLimitBytes: number | null;
  /** Private. */
  readonly folder: string;
  /** Files that are read besides the day's. */
  readonly reads: readonly string[];
  readonly signal: AbortSignal;
}

/** A day's files by whether they can be read. */
export interface ReadFiles {
  readonly good: readonly ProbedFile[];
  readonly bad: readonly BadFile[];
  readonly access: FileAccess;
}

/**
 * Answers a question from a day's files in a session of its own. Bad files are left out and told of; where a file's damage only
 * shows when it is read, `work` is begun anew without it. A file that changes meanwhile ends it with 3.
 */
export async function withDaySession<T>(
  { day, access }: OpenedDay<DayPlan>,
  options: DaySessionOptions,
  work: (session: DuckDbSession, files: ReadFiles) => Promise<T>,
): Promise<T> {
  const { settings, threads, folder, reads, signal } = options;
  const memoryLimitBytes = options.memoryLimitBytes ?? defaultMemoryLimit();
  const all = [...access.paths(day.files), ...reads];
  const unreadable: BadFile[] = [];
  for (;;) {
    const answer = await withSession({ folder, threads, memoryLimitBytes, reads: all }, signal, async (session) => {
      const left = day.files.filter((file) => !unreadable.some((bad) => bad.relative === file.relative));
      const runSql: RunSql = (sql) => session.rows(sql);
      const probe = await probeFiles(left, settings, runSql, access);
      try {
        const result = await work(session, { good: probe.good, bad: [...unreadable, ...probe.bad], access });
        await assertUnchanged(day.files);
        return { result };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof PresenceError) throw error;
        const found = await findUnreadable(probe.good, settings, runSql, access);
        await assertUnchanged(day.files);
        if (found.length === 0) throw error;
        unreadable.push(...found);
        return null;
      }
    });
    if (answer !== null) return answer.result;
  }
}

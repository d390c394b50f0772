import type { DuckDbSession } from "../engine/duckdb/session.ts";
import type { DayRequest } from "../plan/days.ts";
import { resolveDays } from "../plan/days.ts";
import { type Commit, EVENTS, readHead } from "../publish/commit.ts";
import { readJson } from "../publish/json-object.ts";
import { manifestKey } from "../publish/keys.ts";
import { readMart } from "../publish/mart-identity.ts";
import { withPrivateFolder } from "../publish/private-folder.ts";
import { runTable } from "../publish/run-table.ts";
import {
  type Asked,
  rawRow,
  readClients,
  readFiles,
  readReasons,
  readSessions,
  rowsOf,
} from "../quarantine/read-report.ts";
import { reasonText } from "../quarantine/reasons.ts";
import type { QuarantineReport, RawRow } from "../quarantine/report.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import type { RunManifest } from "./day-manifest.ts";
import { joinFiles } from "./join-files.ts";
import { type MartEffects, martStore } from "./mart-access.ts";
import { withSession } from "./mart-session.ts";
import { noDays, noMart } from "./open-mart.ts";

export interface QuarantineOptions extends Asked {
  readonly days: DayRequest;
  readonly out: string;
  readonly tempDir: string | null;
}

/** What a built day has quarantined, and why. Reads the mart only. */
export async function quarantine(options: QuarantineOptions, effects: MartEffects): Promise<QuarantineReport> {
  return withDay(options, effects, async ({ session, day, head, files, manifest }) => {
    const events = files.find(({ table }) => table === "quarantined_events")!.file;
    const sessions = files.filter(({ table }) => table === "quarantined_sessions");
    const bad = files.filter(({ table }) => table === "quarantined_files");
    const { owned, accepted } = manifest.events;
    return {
      day,
      out: options.out,
      runId: head.parts[EVENTS]!.run,
      owned,
      accepted,
      quarantined: owned - accepted,
      reasons: await readReasons(session, events, owned, options),
      clients: await readClients(session, events, options.reason),
      sessions: (await Promise.all(sessions.map((part) => readSessions(session, part, options)))).flat(),
      files: (await Promise.all(bad.map(({ file }) => readFiles(session, file, options.reason)))).flat(),
    };
  });
}

const ROWS_AT_ONCE = 10_000;

/**
 * The quarantined rows themselves, in the order of their table's key: events, or sessions or files where the reason asked for
 * is one of those. `limit` null: all. They come in parts, so that no number of them fills the memory; the first part is empty
 * and tells the columns, where there is no row, too.
 */
export async function quarantinedRows(
  options: Omit<QuarantineOptions, "limit"> & { readonly limit: number | null },
  effects: MartEffects,
  write: (columns: readonly string[], rows: readonly RawRow[]) => void,
): Promise<void> {
  const of = options.reason === null ? "event" : reasonText(options.reason).of;
  await withDay({ ...options, limit: 0 }, effects, async ({ session, files }) => {
    let left = options.limit ?? Number.POSITIVE_INFINITY;
    const parts = files.filter(({ table }) => table === `quarantined_${of}s`);
    const columns = await columnsOf(session, parts[0]);
    write(columns, []);
    for (const { file, metric, version } of parts) {
      const definition = metric === "" ? {} : { metric, version };
      for (let from = 0; left > 0; ) {
        const rows = await session.rows(`select * from ${rowsOf(file, options.reason)}
          where file_row_number >= ${from} order by file_row_number limit ${Math.min(left, ROWS_AT_ONCE)}`);
        if (rows.length === 0) break;
        effects.signal.throwIfAborted();
        const told = rows.map(({ file_row_number: _, ...row }) => ({ ...definition, ...rawRow(row) }));
        write(columns, told);
        from = Number(rows.at(-1)!.file_row_number) + 1;
        left -= rows.length;
      }
    }
  });
}

async function columnsOf(session: DuckDbSession, part: QuarantineFile | undefined): Promise<string[]> {
  if (part === undefined) return [];
  const described = await session.rows(`describe select * exclude (file_row_number) from ${rowsOf(part.file, null)}`);
  return [...(part.metric === "" ? [] : ["metric", "version"]), ...described.map((row) => String(row.column_name))];
}

interface QuarantineFile {
  readonly table: string;
  readonly file: string;
  readonly metric: string;
  readonly version: number;
}

interface OpenedDay {
  readonly session: DuckDbSession;
  readonly day: string;
  readonly head: Commit;
  readonly manifest: RunManifest;
  readonly files: readonly QuarantineFile[];
}

async function withDay<T>(
  options: QuarantineOptions,
  effects: MartEffects,
  work: (day: OpenedDay) => Promise<T>,
): Promise<T> {
  const store = martStore(options.out, effects);
  const mart = await readMart(store);
  if (!mart) throw noMart(options.out);
  const day = resolveDays(options.days, mart.identity.zone, effects.nowMs)[0]!;
  const head = await readHead(store, day);
  const run = head?.parts[EVENTS]?.run;
  const manifest = run === undefined ? null : await readJson<RunManifest>(store, manifestKey(run));
  if (!head || !manifest) throw noDays(options.out, [day]);
  return withPrivateFolder(options.tempDir, async (folder) => {
    const files = await quarantineFiles(store, head, folder);
    const reads = files.map(({ file }) => file);
    return withSession({ folder, threads: null, memoryLimitBytes: null, reads }, effects.signal, (session) =>
      work({ session, day, head, manifest, files }),
    );
  });
}

async function quarantineFiles(store: ObjectStore, head: Commit, folder: string): Promise<OpenedDay["files"]> {
  const files: OpenedDay["files"][number][] = [];
  for (const [part, { run, files: own }] of Object.entries(head.parts)) {
    const [metric = "", version] = part === EVENTS ? [] : part.split("@");
    const tables = new Set(own.map(({ path }) => path.slice(0, path.indexOf("/"))));
    for (const table of [...tables].filter((name) => name.startsWith("quarantined_"))) {
      const file = (await runTable(store, { run, files: own }, table, folder, joinFiles))!;
      files.push({ table, file, metric, version: Number(version ?? 0) });
    }
  }
  return files;
}

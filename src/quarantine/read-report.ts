import { sqlPath, sqlText } from "../engine/duckdb/reading/sql-text.ts";
import type { DuckDbSession, Row } from "../engine/duckdb/session.ts";
import { reasonText } from "./reasons.ts";
import type { ClientCount, QuarantinedFile, QuarantinedReason, QuarantinedSessions, RawRow, Told } from "./report.ts";

const CLIENTS_SHOWN = 5;
const DETAILS_SHOWN = 10;

export interface Asked {
  /** Null: all. */
  readonly reason: string | null;
  /** Examples of each reason. */
  readonly limit: number;
}

/** SELECT of a file of the mart, or of its rows of one reason. */
export function rowsOf(file: string, reason: string | null): string {
  const where = reason === null ? "" : ` where reason = ${sqlText(reason)}`;
  return `(select * from read_parquet([${sqlPath(file)}], hive_partitioning = false, file_row_number = true)${where})`;
}

export async function readReasons(
  session: DuckDbSession,
  file: string,
  owned: number,
  { reason, limit }: Asked,
): Promise<QuarantinedReason[]> {
  const rows = rowsOf(file, reason);
  const counts = await session.rows(
    `select reason, count(*) as events from ${rows} group by reason order by 2 desc, 1`,
  );
  const details = await session.rows(`
    select reason, detail, count(*) as events from ${rows} group by reason, detail
    qualify row_number() over (partition by reason order by count(*) desc, detail) <= ${DETAILS_SHOWN} order by 3 desc, 2`);
  const clients = await session.rows(`
    select reason, client_type, app_version, count(*) as events from ${rows}
    group by reason, client_type, app_version
    qualify row_number() over (partition by reason order by count(*) desc, client_type, app_version) <= ${CLIENTS_SHOWN}
    order by 4 desc, 2, 3`);
  const examples = await session.rows(`
    select * exclude (file_row_number) from ${rows}
    qualify row_number() over (partition by reason order by file_row_number) <= ${limit} order by file_row_number`);
  return counts.map((row) => {
    const own = (all: readonly Row[]) => all.filter((each) => each.reason === row.reason);
    return {
      ...told(String(row.reason)),
      events: Number(row.events),
      share: owned === 0 ? 0 : Number(row.events) / owned,
      details: own(details).map(({ detail, events }) => ({ detail: detail as string | null, events: Number(events) })),
      clients: own(clients).map(clientOf),
      examples: own(examples).map(rawRow),
    };
  });
}

export async function readClients(session: DuckDbSession, file: string, reason: string | null): Promise<ClientCount[]> {
  const rows = await session.rows(`
    select client_type, app_version, count(*) as events from ${rowsOf(file, reason)} group by all
    order by 3 desc, 1, 2 limit ${CLIENTS_SHOWN}`);
  return rows.map(clientOf);
}

export async function readSessions(
  session: DuckDbSession,
  { file, metric, version }: { file: string; metric: string; version: number },
  { reason, limit }: Asked,
): Promise<QuarantinedSessions[]> {
  const counts = await session.rows(`select reason, count(*) as sessions from ${rowsOf(file, reason)} group by reason`);
  return Promise.all(
    counts.map(async (row) => {
      const own = rowsOf(file, String(row.reason));
      const examples = await session.rows(
        `select * exclude (file_row_number) from ${own} order by online_ms desc, session_id limit ${limit}`,
      );
      return {
        ...told(String(row.reason)),
        metric,
        version,
        sessions: Number(row.sessions),
        examples: examples.map(rawRow),
      };
    }),
  );
}

export async function readFiles(
  session: DuckDbSession,
  file: string,
  reason: string | null,
): Promise<QuarantinedFile[]> {
  const rows = await session.rows(`select path, bytes, reason, detail from ${rowsOf(file, reason)} order by path`);
  return rows.map((row) => ({
    ...told(String(row.reason)),
    path: String(row.path),
    bytes: Number(row.bytes),
    detail: row.detail === null ? null : String(row.detail),
  }));
}

function told(reason: string): Told {
  const { rule, means, todo } = reasonText(reason);
  return { reason, rule, means, todo };
}

const clientOf = (row: Row): ClientCount => ({
  clientType: row.client_type as string | null,
  appVersion: row.app_version as string | null,
  events: Number(row.events),
});

/** A row as JSON and CSV can say it without losing anything. */
export function rawRow(row: Row): RawRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value instanceof Date) return [name, value.toISOString()];
      if (typeof value === "bigint") return [name, Number.isSafeInteger(Number(value)) ? Number(value) : String(value)];
      return [name, value as string | number | boolean | null];
    }),
  );
}

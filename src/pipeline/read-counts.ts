import type { DuckDbSession, Row } from "../engine/duckdb/session.ts";

/** What became of the day's events (R2). Everything counts the events that the day owns. */
export interface EventCounts {
  readonly owned: number;
  readonly accepted: number;
  /** By reason, most first; reasons that do not occur are absent. */
  readonly quarantined: Readonly<Record<string, number>>;
  /** Events that arrived after a later one (R11). */
  readonly reordered: number;
  /** Optional values that count as null because they cannot be read (R4), by column; zeros are absent. */
  readonly unreadOptional: Readonly<Record<string, number>>;
}

/** A definition's totals of the day. */
export interface MetricCounts {
  readonly users: number;
  readonly onlineMs: number;
  readonly sessionMs: number;
  readonly sessions: number;
  readonly quarantinedSessions: number;
  /** Sessions whose foreground state no event tells (R15), of those heard before the day's end and not wholly before its start. */
  readonly sessionsOfUnknownState: number;
}

/** Sessions that lost more than half of their client events to R8-R12. */
export interface DamagedSessions {
  readonly sessions: number;
  readonly examples: readonly { readonly sessionId: string; readonly events: number; readonly lostEvents: number }[];
}

const OPTIONAL_COLUMNS = ["client_time", "last_active_at", "foreground", "active"];
const EXAMPLES = 5;

export async function readEventCounts(session: Pick<DuckDbSession, "rows">): Promise<EventCounts> {
  const [row = {}] = await session.rows("select * from event_counts");
  const reasons = await session.rows("select reason, events from reason_counts order by events desc, reason");
  const unread = OPTIONAL_COLUMNS.map((column): [string, number] => [column, number(row, `unread_${column}`)]);
  return {
    owned: number(row, "owned"),
    accepted: number(row, "accepted"),
    quarantined: Object.fromEntries(reasons.map((reason) => [String(reason.reason), number(reason, "events")])),
    reordered: number(row, "reordered"),
    unreadOptional: Object.fromEntries(unread.filter(([, count]) => count > 0)),
  };
}

/** In the order of the run's definitions. */
export async function readMetricCounts(session: Pick<DuckDbSession, "rows">): Promise<MetricCounts[]> {
  const rows = await session.rows("select * from metric_counts order by metric_no");
  return rows.map((row) => ({
    users: number(row, "users"),
    onlineMs: number(row, "online_ms"),
    sessionMs: number(row, "session_ms"),
    sessions: number(row, "sessions"),
    quarantinedSessions: number(row, "quarantined_sessions"),
    sessionsOfUnknownState: number(row, "unknown_sessions"),
  }));
}

export async function readDamagedSessions(session: Pick<DuckDbSession, "rows">): Promise<DamagedSessions> {
  const rows = await session.rows(
    `select session_id, events, lost_events, count(*) over () as sessions from damaged_sessions
    order by lost_events desc, session_id limit ${EXAMPLES}`,
  );
  return {
    sessions: rows[0] ? number(rows[0], "sessions") : 0,
    examples: rows.map((row) => ({
      sessionId: String(row.session_id),
      events: number(row, "events"),
      lostEvents: number(row, "lost_events"),
    })),
  };
}

/** Sums of a day's milliseconds over all users stay far below 2^53 (8.6e7 ms times 1e8 users). */
function number(row: Row, column: string): number {
  return Number(row[column]);
}

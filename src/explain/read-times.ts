import { sqlText } from "../engine/duckdb/reading/sql-text.ts";
import type { DuckDbSession, Row } from "../engine/duckdb/session.ts";
import type { ActiveInterval, Interval, SessionTime } from "./explained-definition.ts";
import type { ExplainedSession } from "./explanation.ts";
import { text } from "./row-values.ts";

/** A definition's times of the user, in the order of the definitions. */
export interface UserTimes {
  readonly sessions: readonly SessionTime[];
  readonly intervals: readonly Interval[];
  readonly onlineMs: number;
  readonly sessionMs: number;
}

/** The sessions that the user's events name, in the order of the list of events. */
export async function readSessions(session: DuckDbSession): Promise<ExplainedSession[]> {
  const rows = await session.rows(`
    select s.session_id, s.owner, s.of_user, a.device_id, a.client_type, a.channel, a.app_version, a.region,
      count(e.event_no) as events, count(e.event_no) filter (e.reason is null) as accepted
    from explained_sessions s
    left join session_attributes a on a.session_no = s.session_no
    left join explained_events e on e.session_id = s.session_id
    group by all
    order by min(e.place)`);
  return rows.map((row) => ({
    sessionId: String(row.session_id),
    owner: text(row.owner),
    ofUser: row.of_user === true,
    deviceId: text(row.device_id),
    clientType: text(row.client_type),
    channel: text(row.channel),
    appVersion: text(row.app_version),
    region: text(row.region),
    events: Number(row.events),
    accepted: Number(row.accepted),
  }));
}

export async function readTimes(session: DuckDbSession, userId: string, definitions: number): Promise<UserTimes[]> {
  const user = sqlText(userId);
  const spans = (relation: string) =>
    session.rows(`select s.metric_no, e.session_id, s.start_ms, s.end_ms from ${relation} s
      join explained_sessions e on e.session_no = s.session_no and e.of_user order by s.start_ms`);
  const [online, counted, inDay] = [
    await spans("session_spans"),
    await spans("counted_spans"),
    await spans("day_spans"),
  ];
  const activity = await session.rows(ACTIVITY);
  const sessions = await session.rows(SESSIONS);
  const union = await session.rows(`
    select u.metric_no, u.start_ms, u.end_ms from user_spans u
    where u.user_no in (select user_no from session_attributes where user_id = ${user}) order by u.start_ms`);
  const sums = await session.rows(`select metric_no, online_ms, session_ms from user_daily where user_id = ${user}`);
  return Array.from({ length: definitions }, (_, metricNo): UserTimes => {
    const own = (rows: Row[]) => rows.filter((row) => row.metric_no === metricNo);
    const bySession = (rows: Row[]) => groupBySession(own(rows));
    const [onlineOf, countedOf, inDayOf, activityOf] = [online, counted, inDay, activity].map(bySession) as Grouped[];
    const sum = own(sums)[0];
    return {
      sessions: own(sessions).map((row): SessionTime => {
        const id = String(row.session_id);
        const day = (inDayOf!.get(id) ?? []).map(interval);
        return {
          sessionId: id,
          startedMs: Number(row.started_ms),
          endedMs: Number(row.ended_ms),
          closeReason: String(row.close_reason),
          activity: (activityOf!.get(id) ?? []).map(activeInterval),
          online: (onlineOf!.get(id) ?? []).map(interval),
          tooLong: row.too_long === true,
          counted: (countedOf!.get(id) ?? []).map(interval),
          inDay: day,
          inDayMs: day.reduce((total, { startMs, endMs }) => total + endMs - startMs, 0),
        };
      }),
      intervals: own(union).map(interval),
      onlineMs: Number(sum?.online_ms ?? 0),
      sessionMs: Number(sum?.session_ms ?? 0),
    };
  });
}

const SESSIONS = `
  select d.metric_no, e.session_id, t.started_ms, t.ended_ms, t.close_reason, o.session_no is not null as too_long
  from session_ends t
  join definitions d on d.metric_no = t.metric_no
  join explained_sessions e on e.session_no = t.session_no and e.of_user
  left join overlong_sessions o on o.metric_no = t.metric_no and o.session_no = t.session_no
  order by t.started_ms, e.session_id`;

const ACTIVITY = `
  select
    a.metric_no, e.session_id, a.start_ms, a.end_ms, count(*) as interactions, max(g.told_ms) as last_ms,
    bool_or(g.told_ms + d.idle_ms > a.end_ms) as ended_by_idle
  from signals g
  join definitions d on d.timing_no = g.timing_no and d.uses_active
  asof join activity a on a.metric_no = d.metric_no and a.session_no = g.session_no and g.told_ms >= a.start_ms
  join explained_sessions e on e.session_no = a.session_no and e.of_user
  where g.told_ms < a.end_ms
  group by a.metric_no, e.session_id, a.start_ms, a.end_ms
  order by a.start_ms`;

type Grouped = Map<string, Row[]>;

function groupBySession(rows: readonly Row[]): Grouped {
  const groups: Grouped = new Map();
  for (const row of rows) {
    const id = String(row.session_id);
    const group = groups.get(id);
    if (group) group.push(row);
    else groups.set(id, [row]);
  }
  return groups;
}

const interval = (row: Row): Interval => ({ startMs: Number(row.start_ms), endMs: Number(row.end_ms) });

const activeInterval = (row: Row): ActiveInterval => ({
  ...interval(row),
  interactions: Number(row.interactions),
  lastInteractionMs: Number(row.last_ms),
  endedByIdle: row.ended_by_idle === true,
});

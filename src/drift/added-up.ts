import type { DuckDbSession } from "../engine/duckdb/session.ts";
import { loadSql } from "../pipeline/sql-files.ts";
import type { ReasonId } from "./reasons.ts";

/** How much of what each correction is about a user has in the day. */
export type Items = Readonly<Partial<Record<ReasonId, number>>>;

export interface AddedUp {
  readonly items: ReadonlyMap<string, Items>;
  /** How far heartbeats mostly are from the next event, in whole seconds, as ms; null without any. */
  readonly heartbeatMs: number | null;
}

/**
 * The counts that need no way of their own, from the relations of a count in which every event is a point: what it found, added up
 * otherwise. They go into `counted`; how much of everything there is comes back.
 */
export async function addUp(session: DuckDbSession): Promise<AddedUp> {
  const heartbeatMs = await heartbeat(session);
  const sources: Readonly<Record<string, string>> = {
    copied: loadSql("95_drift/copied_time"),
    logins: loadSql("95_drift/login_time"),
    items: loadSql("95_drift/user_items"),
    devices:
      "select user_id, count(*) as devices, cast(sum(online_ms) as bigint) as online_ms from device_daily group by user_id",
    sessions: `select a.user_id, count(distinct d.session_no) as sessions,
        cast(sum(d.end_ms - d.start_ms) as bigint) as online_ms
      from day_spans d join session_attributes a on a.session_no = d.session_no group by a.user_id`,
  };
  for (const [name, select] of Object.entries(sources)) await session.run(`create table ${name} as ${select}`);
  await session.run(`insert into main.counted
    select 'duplicates-kept', coalesce(c.user_id, o.user_id), coalesce(o.online_ms, 0) + coalesce(c.added_ms, 0)
      from (select user_id, online_ms from main.counted where reason = 'own') o full join copied c on c.user_id = o.user_id
    union all select 'login-to-logout', user_id, online_ms from logins
    union all select 'devices-summed', user_id, online_ms from devices
    union all select 'sessions-summed', user_id, online_ms from sessions
    ${heartbeatMs === null ? "" : `union all select 'fixed-time-per-heartbeat', user_id, heartbeats * ${heartbeatMs} from items`}`);
  return { items: await readItems(session), heartbeatMs };
}

async function heartbeat(session: DuckDbSession): Promise<number | null> {
  const [row] = await session.rows(`select round(median(next_tau_ms - tau_ms) / 1000) * 1000 as ms
    from points where event_type = 'HEARTBEAT' and next_tau_ms > tau_ms`);
  return row?.ms == null ? null : Number(row.ms);
}

async function readItems(session: DuckDbSession): Promise<ReadonlyMap<string, Items>> {
  const rows = await session.rows(`
    select u.user_id, i.heartbeats, i.reordered, i.silences, i.client_timed, i.stale, c.copies, l.sessions as logins,
      d.devices, s.sessions
    from (select user_id from items union select user_id from logins union select user_id from sessions) u
    left join items i on i.user_id = u.user_id
    left join copied c on c.user_id = u.user_id
    left join logins l on l.user_id = u.user_id
    left join devices d on d.user_id = u.user_id
    left join sessions s on s.user_id = u.user_id`);
  const number = (value: unknown) => Number(value ?? 0);
  return new Map(
    rows.map((row): [string, Items] => [
      String(row.user_id),
      {
        "duplicates-kept": number(row.copies),
        "arrival-order": number(row.reordered),
        "stale-epochs-counted": number(row.stale),
        "gaps-uncapped": number(row.silences),
        "login-to-logout": number(row.logins),
        "sessions-summed": number(row.sessions),
        "devices-summed": number(row.devices),
        "client-time-trusted": number(row.client_timed),
        "fixed-time-per-heartbeat": number(row.heartbeats),
        "late-events-missing": number(row.reordered),
      },
    ]),
  );
}

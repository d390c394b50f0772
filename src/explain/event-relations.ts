import { sqlText } from "../engine/duckdb/reading/sql-text.ts";

/**
 * What is told of events, made of the relations that the stages leave behind. These statements add names, order and reasons
 * for people; no number is counted by them.
 */

/** The sessions that the user's events name, and whose they are (R8); `owner` null: no client event decides. */
export const sessionsStatement = (userId: string): string => `create table explained_sessions as
  with touched as (select distinct session_no from identities where user_id = ${sqlText(userId)}),
  named as (
    select
      i.session_no, min(i.session_id) as session_id,
      coalesce(
        min(a.user_id), min(u.user_id), case when count(distinct i.user_id) = 1 then min(i.user_id) end
      ) as owner
    from identities i
    join touched t on t.session_no = i.session_no
    left join session_attributes a on a.session_no = i.session_no
    left join session_owners o on o.session_no = i.session_no
    left join (select distinct user_no, user_id from identities) u on u.user_no = o.user_no
    group by i.session_no
  )
  select *, coalesce(owner = ${sqlText(userId)}, false) as of_user from named`;

/** For each rejected or moved event, the event that decided it, where there is one. */
export const BECAUSE_STATEMENT = `create table explained_because as
  with firsts as (
    select r.event_id, r.event_no from repeated_events r
    where not exists (select 1 from duplicate_events d where d.event_no = r.event_no)
  ),
  heard as (
    select c.event_no, c.session_no, c.epoch, c.sequence, c.server_ms, c.event_type, o.reason, o.detail, o.tau_ms
    from suspect_events c
    join ordered_events o on o.event_no = c.event_no
  ),
  arrivals as (
    select event_no, reason, lead(event_no) over (
        partition by session_no, epoch order by server_ms, sequence
      ) as next_no
    from heard
    where detail is distinct from 'SERVER_TIMEOUT'
  ),
  ordered as (
    select *, min(server_ms) over (
        partition by session_no, epoch order by sequence rows between current row and unbounded following
      ) as least_ms
    from (
      select event_no, session_no, epoch, sequence, server_ms from heard
      where tau_ms is not null or (reason = 'LATE_EVENT' and detail is null)
      union all
      select c.event_no, c.session_no, c.epoch, c.sequence, c.server_ms
      from current_events c
      anti join suspect_epochs s on s.session_no = c.session_no and s.epoch = c.epoch
      where c.event_type <> 'SERVER_TIMEOUT'
    )
  ),
  clients as (
    select event_no, session_no, epoch, sequence, server_ms from claimed_events where event_type <> 'SERVER_TIMEOUT'
  )
  select d.event_no, f.event_no as because_no
  from duplicate_events d
  join repeated_events r on r.event_no = d.event_no
  join firsts f on f.event_id = r.event_id
  union all
  select d.event_no, k.event_no
  from duplicate_sequences d
  join repeating_events e on e.event_no = d.event_no
  join repeating_events k on k.session_no = e.session_no and k.epoch = e.epoch and k.sequence = e.sequence
  where not exists (select 1 from duplicate_sequences x where x.event_no = k.event_no)
  union all
  select x.event_no, arg_min(c.event_no, c.sequence)
  from stale_events x
  join claimed_events e on e.event_no = x.event_no
  join fences f on f.session_no = e.session_no and f.epoch = e.epoch
  join clients c on c.session_no = f.session_no and c.server_ms = f.fence_ms and c.epoch > f.epoch
  group by x.event_no
  union all
  select t.event_no, c.event_no
  from (select * from timeouts where verdict <> 'none') t
  asof join (
    select * from clients c where not exists (select 1 from stale_events x where x.event_no = c.event_no)
  ) c on c.session_no = t.session_no and c.epoch = t.epoch and t.server_ms >= c.server_ms
  union all
  select a.event_no, a.next_no from arrivals a where a.reason = 'SEQUENCE_JUMP' and a.next_no is not null
  union all
  select m.event_no, arg_min(b.event_no, b.sequence)
  from ordered m
  join ordered b on b.session_no = m.session_no and b.epoch = m.epoch and b.server_ms = m.least_ms
  where m.least_ms < m.server_ms and b.sequence > m.sequence
  group by m.event_no
  union all
  select a.event_no, arg_min(k.event_no, k.sequence)
  from heard a
  join heard k on k.session_no = a.session_no and k.epoch = a.epoch
  where a.reason = 'EVENT_AFTER_CLOSE' and a.detail <> 'SERVER_TIMEOUT' and k.reason is null
    and k.event_type in ('SESSION_CLOSE', 'LOGOUT')
  group by a.event_no
  union all
  select a.event_no, arg_min(t.event_no, t.server_ms)
  from heard a
  join timeouts t on t.session_no = a.session_no and t.epoch = a.epoch and t.verdict = 'valid'
  where a.reason = 'EVENT_AFTER_CLOSE' and a.detail = 'SERVER_TIMEOUT'
  group by a.event_no`;

/**
 * The listed events, in order: all rows of the read window that name the user, and the others of the user's sessions. Within a
 * session an accepted event stands at its effective time, any other at its arrival.
 */
export const eventsStatement = (userId: string): string => `create table explained_events as
  with listed as (
    select
      g.event_no, g.event_id, g.user_id, g.session_id, g.event_type, g.device_id, g.server_ms, g.client_ms,
      g.last_active_ms, g.foreground, g.active, coalesce(g.session_epoch, 0) as epoch, g.unread_session_epoch,
      coalesce(q.sequence, g.sequence) as sequence, r.time_ms, v.reason, v.detail, t.verdict, a.tau_ms,
      r.time_ms >= w.start_ms and r.time_ms < w.end_ms as owned_by_day,
      coalesce(g.user_id = ${sqlText(userId)}, false) as of_user
    from gathered g
    join readings_seen r on r.event_no = g.event_no
    cross join day_windows w
    left join event_verdicts v on v.event_no = g.event_no
    left join timeouts t on t.event_no = g.event_no
    left join accepted_events a on a.event_no = g.event_no
    left join sequenced_events q on q.event_no = g.event_no
    where g.user_id = ${sqlText(userId)} or g.session_id in (select session_id from explained_sessions where of_user)
  ),
  begun as (select *, min(time_ms) over (partition by session_id) as begins_ms from listed)
  select
    b.*, row_number() over (
      order by b.session_id is null, b.begins_ms, b.session_id, coalesce(b.tau_ms, b.time_ms), b.epoch,
        b.sequence nulls last, b.event_no
    ) as place
  from begun b`;

/** Columns that tell people which event is meant. */
export const REFERENCE_STATEMENT = `create view explained_references as
  select
    g.event_no, g.event_id, g.user_id, g.session_id, coalesce(g.session_epoch, 0) as epoch,
    coalesce(q.sequence, g.sequence) as sequence, g.event_type, g.server_ms, f.path as source_file,
    g.event_no % 4294967296 as source_row
  from gathered g
  join source_files f on f.file_no = g.event_no // 4294967296
  left join sequenced_events q on q.event_no = g.event_no`;

-- metric_counts: a definition's totals for the manifest and the printed table.
-- Grain: one row per definition. `unknown_sessions`: sessions whose foreground state no event tells, of
--   those that were heard before the day's end and not wholly before its start.
-- Reads: definitions, user_daily, session_daily, quarantined_sessions, points, day_windows.
-- Rules: R15, R19, R21.
with users as (
  select
    u.metric_no, count(*) as users, cast(sum(u.online_ms) as bigint) as online_ms,
    cast(sum(u.session_ms) as bigint) as session_ms
  from user_daily u
  group by u.metric_no
),
sessions as (
  select s.metric_no, count(*) as sessions from session_daily s group by s.metric_no
),
overlong as (
  select q.metric_no, count(*) as sessions from quarantined_sessions q group by q.metric_no
),
states as (
  select
    p.timing_no, p.session_no,
    max(case when p.foreground_if_started is not null then 1 else 0 end) as known_if_started,
    max(case when p.foreground_if_told is not null then 1 else 0 end) as known_if_told
  from points p
  cross join day_windows w
  group by p.timing_no, p.session_no, w.start_ms, w.end_ms
  having min(p.tau_ms) < w.end_ms and max(p.tau_ms) >= w.start_ms
),
unknown as (
  select d.metric_no, count(*) as sessions
  from states s
  join definitions d on d.timing_no = s.timing_no
  where case when d.foreground_at_start then s.known_if_started else s.known_if_told end = 0
  group by d.metric_no
)
select
  d.metric_no,
  coalesce(u.users, 0) as users,
  coalesce(u.online_ms, 0) as online_ms,
  coalesce(u.session_ms, 0) as session_ms,
  coalesce(s.sessions, 0) as sessions,
  coalesce(o.sessions, 0) as quarantined_sessions,
  coalesce(n.sessions, 0) as unknown_sessions
from definitions d
left join users u on u.metric_no = d.metric_no
left join sessions s on s.metric_no = d.metric_no
left join overlong o on o.metric_no = d.metric_no
left join unknown n on n.metric_no = d.metric_no

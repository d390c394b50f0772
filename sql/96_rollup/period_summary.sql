-- period_summary: a period in figures.
-- Grain: one row.
-- Reads: user_period.
-- Rules: nearest rank: the smallest of the users' online_ms that at least p percent of them do not exceed.
with ranked as (
  select
    u.online_ms, u.session_ms, u.sessions, u.active_days,
    row_number() over (order by u.online_ms, u.user_id) as place,
    count(*) over () as users
  from user_period u
)
select
  count(*) as users,
  cast(coalesce(sum(r.online_ms), 0) as bigint) as online_ms,
  cast(coalesce(sum(r.session_ms), 0) as bigint) as session_ms,
  cast(coalesce(sum(r.sessions), 0) as bigint) as sessions,
  cast(coalesce(sum(r.active_days), 0) as bigint) as active_days,
  min(case when r.place * 100 >= r.users * 50 then r.online_ms end) as p50_ms,
  min(case when r.place * 100 >= r.users * 90 then r.online_ms end) as p90_ms,
  min(case when r.place * 100 >= r.users * 99 then r.online_ms end) as p99_ms
from ranked r

-- user_daily: how long each user was online on the day.
-- Grain: one row per (definition, user with online time).
-- Reads: user_spans, day_spans, session_attributes.
-- Rules: R21 (online_ms is the union, session_ms the plain sum), R22.
with unions as (
  select
    u.metric_no, u.user_no, cast(sum(u.end_ms - u.start_ms) as bigint) as online_ms, count(*) as intervals,
    min(u.start_ms) as first_online_ms, max(u.end_ms) as last_online_ms
  from user_spans u
  group by u.metric_no, u.user_no
),
sums as (
  select
    d.metric_no, d.user_no, min(a.user_id) as user_id, cast(sum(d.end_ms - d.start_ms) as bigint) as session_ms,
    count(distinct d.session_no) as sessions, count(distinct a.device_key) as devices
  from day_spans d
  join session_attributes a on a.session_no = d.session_no
  group by d.metric_no, d.user_no
)
select
  u.metric_no,
  s.user_id,
  u.online_ms,
  s.session_ms,
  s.sessions,
  s.devices,
  u.intervals,
  u.first_online_ms,
  u.last_online_ms
from unions u
join sums s on s.metric_no = u.metric_no and s.user_no = u.user_no

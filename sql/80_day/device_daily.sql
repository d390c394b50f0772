-- device_daily: how long each of a user's devices was online on the day.
-- Grain: one row per (definition, user, device); a user's sessions without a device share one row.
-- Reads: day_spans, session_attributes, session_ends.
-- Rules: R21 (online_ms is the union of the device's sessions, session_ms their sum), R22.
with spans as (
  select
    d.metric_no, d.user_no, d.session_no, coalesce(a.device_id, '') as device_name, d.start_ms, d.end_ms
  from day_spans d
  join session_attributes a on a.session_no = d.session_no
),
reaching as (
  select
    s.*,
    max(s.end_ms) over (
      partition by s.user_no, s.metric_no, s.device_name order by s.start_ms, s.end_ms, s.session_no
      rows between unbounded preceding and 1 preceding
    ) as reached_ms
  from spans s
),
lengths as (
  select
    r.metric_no, r.user_no, r.device_name,
    cast(sum(greatest(r.end_ms - greatest(r.start_ms, coalesce(r.reached_ms, r.start_ms)), 0)) as bigint) as online_ms,
    cast(sum(r.end_ms - r.start_ms) as bigint) as session_ms,
    count(distinct r.session_no) as sessions
  from reaching r
  group by r.metric_no, r.user_no, r.device_name
),
sessions as (
  select distinct s.metric_no, s.user_no, s.device_name, s.session_no
  from spans s
),
named as (
  select
    s.metric_no, s.user_no, s.device_name, a.user_id, a.client_type,
    row_number() over (
      partition by s.user_no, s.metric_no, s.device_name
      order by case when a.client_type is null then 1 else 0 end, e.started_ms, a.session_id
    ) as place
  from sessions s
  join session_attributes a on a.session_no = s.session_no
  join session_ends e on e.metric_no = s.metric_no and e.session_no = s.session_no
)
select
  l.metric_no,
  n.user_id,
  case when l.device_name <> '' then l.device_name end as device_id,
  n.client_type,
  l.online_ms,
  l.session_ms,
  l.sessions
from lengths l
join named n on n.metric_no = l.metric_no and n.user_no = l.user_no and n.device_name = l.device_name and n.place = 1

-- session_daily: how long each session was online on the day.
-- Grain: one row per (definition, session with online time).
-- Reads: day_spans, session_attributes, session_ends.
-- Rules: R18, R22.
with sums as (
  select
    d.metric_no, d.session_no, cast(sum(d.end_ms - d.start_ms) as bigint) as online_ms, count(*) as intervals,
    min(d.start_ms) as first_online_ms, max(d.end_ms) as last_online_ms
  from day_spans d
  group by d.metric_no, d.session_no
)
select
  s.metric_no,
  a.session_id,
  a.user_id,
  a.device_id,
  a.client_type,
  a.channel,
  a.app_version,
  a.region,
  s.online_ms,
  s.intervals,
  s.first_online_ms,
  s.last_online_ms,
  e.started_ms,
  e.last_event_ms,
  e.ended_ms,
  e.close_reason
from sums s
join session_attributes a on a.session_no = s.session_no
join session_ends e on e.metric_no = s.metric_no and e.session_no = s.session_no

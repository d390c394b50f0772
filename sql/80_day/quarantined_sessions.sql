-- quarantined_sessions: overlong sessions, on each day with which their online time shares a millisecond.
-- Grain: one row per (definition, session).
-- Reads: overlong_sessions, session_spans, session_attributes, session_ends, day_windows.
-- Rules: R19 (SESSION_TOO_LONG; online_ms is that of the read window).
with touching as (
  select distinct s.metric_no, s.session_no
  from session_spans s
  join overlong_sessions o on o.metric_no = s.metric_no and o.session_no = s.session_no
  cross join day_windows w
  where s.start_ms < w.end_ms and s.end_ms > w.start_ms and w.end_ms > w.start_ms
)
select
  o.metric_no,
  'SESSION_TOO_LONG' as reason,
  a.session_id,
  a.user_id,
  a.device_id,
  e.started_ms,
  e.ended_ms,
  o.online_ms
from overlong_sessions o
join touching t on t.metric_no = o.metric_no and t.session_no = o.session_no
join session_attributes a on a.session_no = o.session_no
join session_ends e on e.metric_no = o.metric_no and e.session_no = o.session_no

-- session_intervals: when each session was online on the day.
-- Grain: one row per (definition, session, interval).
-- Reads: day_spans, session_attributes.
-- Rules: R18, R22.
select
  d.metric_no,
  a.session_id,
  a.user_id,
  a.device_id,
  d.start_ms,
  d.end_ms,
  d.end_ms - d.start_ms as duration_ms
from day_spans d
join session_attributes a on a.session_no = d.session_no

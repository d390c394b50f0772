-- day_spans: the part of each session's counted time that lies in the business day.
-- Grain: one row per (definition, session, interval).
-- Reads: counted_spans, day_windows, session_attributes.
-- Rules: R22 (cut at S and E).
select
  c.metric_no,
  c.session_no,
  a.user_no,
  greatest(c.start_ms, w.start_ms) as start_ms,
  least(c.end_ms, w.end_ms) as end_ms
from counted_spans c
join session_attributes a on a.session_no = c.session_no
cross join day_windows w
where c.start_ms < w.end_ms and c.end_ms > w.start_ms and w.end_ms > w.start_ms

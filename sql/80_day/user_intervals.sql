-- user_intervals: when each user was online on the day.
-- Grain: one row per (definition, user, interval).
-- Reads: user_spans, session_attributes.
-- Rules: R21, R22.
select
  u.metric_no,
  n.user_id,
  u.start_ms,
  u.end_ms,
  u.end_ms - u.start_ms as duration_ms
from user_spans u
join (select a.user_no, min(a.user_id) as user_id from session_attributes a group by a.user_no) n
  on n.user_no = u.user_no

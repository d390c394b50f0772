-- C6: no two intervals of one user, or of one session, overlap or touch.
-- Grain: one row per violation.
-- Reads: user_intervals, session_intervals.
-- Rules: R18, R21.
with users as (
  select u.user_id, u.start_ms,
    lag(u.end_ms) over (partition by u.metric_no, u.user_id order by u.start_ms, u.end_ms) as previous_end_ms
  from user_intervals u
),
sessions as (
  select s.session_id, s.start_ms,
    lag(s.end_ms) over (partition by s.metric_no, s.session_id order by s.start_ms, s.end_ms) as previous_end_ms
  from session_intervals s
)
select concat('user ', u.user_id) as subject, 'intervals overlap or touch' as problem
from users u
where u.start_ms <= u.previous_end_ms
union all
select concat('session ', s.session_id) as subject, 'intervals overlap or touch' as problem
from sessions s
where s.start_ms <= s.previous_end_ms

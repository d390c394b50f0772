-- C2: every interval has end > start and lies in the day.
-- Grain: one row per violation.
-- Reads: user_intervals, session_intervals, day_windows.
-- Rules: R22.
select concat('user ', u.user_id) as subject, 'interval is empty or leaves the day' as problem
from user_intervals u
cross join day_windows w
where u.end_ms <= u.start_ms or u.start_ms < w.start_ms or u.end_ms > w.end_ms or u.duration_ms <> u.end_ms - u.start_ms
union all
select concat('session ', s.session_id) as subject, 'interval is empty or leaves the day' as problem
from session_intervals s
cross join day_windows w
where s.end_ms <= s.start_ms or s.start_ms < w.start_ms or s.end_ms > w.end_ms or s.duration_ms <> s.end_ms - s.start_ms

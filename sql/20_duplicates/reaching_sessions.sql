-- reaching_sessions: the sessions that can bear on the day; all others lie outside of it as a whole.
-- Grain: one row per session.
-- Reads: events, settings, day_windows.
-- Rules: R14 (no slot is longer than `reach_ms`, so that an older session neither has time in the day nor cuts another
--   device's time in it), R13 (nothing moves before the first arrival of its epoch), R2 (the sessions of all owned events
--   are among them). `reach_ms` null: all sessions.
select e.session_no
from events e
cross join settings s
cross join day_windows w
group by e.session_no, s.reach_ms, w.start_ms, w.end_ms
having s.reach_ms is null or (max(e.server_ms) >= w.start_ms - s.reach_ms and min(e.server_ms) < w.end_ms)

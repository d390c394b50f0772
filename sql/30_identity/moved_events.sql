-- moved_events: client events of unsuspicious sessions that arrived after a later one.
-- Grain: one row per event whose effective time is below its server_time.
-- Reads: order_marks, suspect_sessions.
-- Rules: R11 (tau).
select m.event_no, m.server_ms, m.tau_ms
from order_marks m
anti join suspect_sessions s on s.session_no = m.session_no
where m.tau_ms < m.server_ms

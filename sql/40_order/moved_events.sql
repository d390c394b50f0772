-- moved_events: client events that arrived after a later one.
-- Grain: one row per event whose effective time is below its server_time.
-- Reads: order_marks, suspect_epochs, ordered_events.
-- Rules: R11 (tau).
select m.event_no, m.server_ms, m.tau_ms
from order_marks m
anti join suspect_epochs s on s.session_no = m.session_no and s.epoch = m.epoch
where m.tau_ms < m.server_ms
union all
select o.event_no, o.server_ms, o.tau_ms
from ordered_events o
where o.tau_ms < o.server_ms

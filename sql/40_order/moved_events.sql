-- moved_events: client events that arrived after a later one.
-- Grain: one row per event whose effective time is below its server_time.
-- Reads: delays, suspect_epochs, ordered_events.
-- Rules: R11 (tau).
select d.event_no, d.server_ms, d.tau_ms
from delays d
anti join suspect_epochs s on s.session_no = d.session_no and s.epoch = d.epoch
union all
select o.event_no, o.server_ms, o.tau_ms
from ordered_events o
where o.tau_ms < o.server_ms

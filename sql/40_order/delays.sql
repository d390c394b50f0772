-- delays: client events that arrived after a later one of their epoch, where few events of it arrived before the one before
--   them.
-- Grain: one row per such event. `tau_ms`: the earliest server_time from it on.
-- Reads: current_events, landmarks, crowded_epochs.
-- Rules: R11 (tau). The first of the earliest from an event on arrived before the one before it, unless it is that event itself.
select e.event_no, e.session_no, e.epoch, e.server_ms, min(l.server_ms) as tau_ms
from current_events e
join landmarks l on l.session_no = e.session_no and l.epoch = e.epoch
anti join crowded_epochs c on c.session_no = l.session_no and c.epoch = l.epoch
where l.is_inverted and l.sequence > e.sequence and l.server_ms < e.server_ms and e.event_type <> 'SERVER_TIMEOUT'
group by e.event_no, e.session_no, e.epoch, e.server_ms

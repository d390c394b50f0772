-- suspect_events: the client events of suspect epochs.
-- Grain: one row per event.
-- Reads: current_events, suspect_epochs.
-- Rules: R11, R12, which judge them.
select e.*
from current_events e
semi join suspect_epochs s on s.session_no = e.session_no and s.epoch = e.epoch
where e.event_type <> 'SERVER_TIMEOUT'

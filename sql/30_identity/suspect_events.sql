-- suspect_events: all events of suspect sessions.
-- Grain: one row per event.
-- Reads: sequenced_events, suspect_sessions.
-- Rules: R7-R12, which judge them.
select e.*
from sequenced_events e
semi join suspect_sessions s on s.session_no = e.session_no

-- clean_events: events of the sessions that are not suspect.
-- Grain: one row per event.
-- Reads: sequenced_events, suspect_sessions.
-- Rules: R7-R12, which have nothing to do in them.
select e.*
from sequenced_events e
anti join suspect_sessions s on s.session_no = e.session_no

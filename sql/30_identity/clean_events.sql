-- clean_events: events of the sessions that are not suspect.
-- Grain: one row per event.
-- Reads: sequenced_events, suspect_sessions.
-- Rules: R7-R12, which have nothing to do in them.
select e.*
from sequenced_events e
where not exists (select 1 from suspect_sessions s where s.session_no = e.session_no)

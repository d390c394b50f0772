-- distinct_events: the admitted events of the sessions that can bear on the day, with one row per event id.
-- Grain: one row per event that the first half of R7 keeps.
-- Reads: events, duplicate_events, reaching_sessions.
-- Rules: R7, first half.
select e.*
from events e
semi join reaching_sessions s on s.session_no = e.session_no
anti join duplicate_events d on d.event_no = e.event_no

-- distinct_events: the admitted events with one row per event id.
-- Grain: one row per event that the first half of R7 keeps.
-- Reads: events, duplicate_events.
-- Rules: R7, first half.
select e.*
from events e
anti join duplicate_events d on d.event_no = e.event_no

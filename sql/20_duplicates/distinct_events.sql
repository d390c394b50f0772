-- distinct_events: the admitted events with one row per event id.
-- Grain: one row per event that the first half of R7 keeps.
-- Reads: events, duplicate_events.
-- Rules: R7, first half.
select e.*
from events e
where not exists (select 1 from duplicate_events d where d.event_no = e.event_no)

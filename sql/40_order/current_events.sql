-- current_events: events that R7 to R9 have left.
-- Grain: one row per event.
-- Reads: claimed_events, stale_events.
-- Rules: R9.
select e.*
from claimed_events e
anti join stale_events x on x.event_no = e.event_no

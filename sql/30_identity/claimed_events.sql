-- claimed_events: events that R7 and R8 have left.
-- Grain: one row per event.
-- Reads: sequenced_events, duplicate_sequences, identity_conflicts.
-- Rules: R7, R8.
select e.*
from sequenced_events e
anti join duplicate_sequences d on d.event_no = e.event_no
anti join identity_conflicts c on c.event_no = e.event_no

-- claimed_events: events of suspect sessions that R7 and R8 have left.
-- Grain: one row per event.
-- Reads: suspect_events, duplicate_sequences, identity_conflicts.
-- Rules: R7, R8.
select e.*
from suspect_events e
where not exists (select 1 from duplicate_sequences d where d.event_no = e.event_no)
  and not exists (select 1 from identity_conflicts c where c.event_no = e.event_no)

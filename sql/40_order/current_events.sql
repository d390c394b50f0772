-- current_events: events that R7 to R9 have left.
-- Grain: one row per event.
-- Reads: sequenced_events, duplicate_sequences, identity_conflicts, stale_events.
-- Rules: R7-R9. What they reject is taken away at once: an engine that guesses a fifth of the rows to be left each time would
--   soon take the rest for the smaller side of the join.
select e.*
from sequenced_events e
anti join (
  select d.event_no from duplicate_sequences d
  union all
  select c.event_no from identity_conflicts c
  union all
  select x.event_no from stale_events x
) r on r.event_no = e.event_no

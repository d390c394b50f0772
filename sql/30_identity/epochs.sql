-- epochs: when each connection of a session was heard, and how far it counted.
-- Grain: one row per (session, epoch) with client events.
-- Reads: sequenced_events.
-- Rules: none of its own; R9, R10 and R11 look at its bounds.
select
  e.session_no,
  e.epoch,
  min(e.server_ms) as start_ms,
  max(e.server_ms) as end_ms,
  min(e.sequence) as first_sequence,
  max(e.sequence) as last_sequence
from sequenced_events e
where e.event_type <> 'SERVER_TIMEOUT'
group by e.session_no, e.epoch

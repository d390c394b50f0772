-- epochs: when each connection of a session was heard, and how far it counted.
-- Grain: one row per (session, epoch). All but `last_ms`, the last arrival of any event, are bounds of its client events,
--   null where it has nothing but SERVER_TIMEOUTs.
-- Reads: claimed_events.
-- Rules: none of its own; R9, R10 and R11 look at the bounds.
select
  e.session_no,
  e.epoch,
  min(case when e.event_type <> 'SERVER_TIMEOUT' then e.server_ms end) as start_ms,
  max(case when e.event_type <> 'SERVER_TIMEOUT' then e.server_ms end) as end_ms,
  min(case when e.event_type <> 'SERVER_TIMEOUT' then e.sequence end) as first_sequence,
  max(case when e.event_type <> 'SERVER_TIMEOUT' then e.sequence end) as last_sequence,
  max(e.server_ms) as last_ms
from claimed_events e
group by e.session_no, e.epoch

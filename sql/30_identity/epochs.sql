-- epochs: when each connection of a session was heard, and how far it counted.
-- Grain: one row per (session, epoch); all bounds null where it has nothing but SERVER_TIMEOUTs.
-- Reads: sequenced_events.
-- Rules: none of its own; R9, R10 and R11 look at its bounds, which are those of its client events.
select
  e.session_no,
  e.epoch,
  min(case when e.event_type <> 'SERVER_TIMEOUT' then e.server_ms end) as start_ms,
  max(case when e.event_type <> 'SERVER_TIMEOUT' then e.server_ms end) as end_ms,
  min(case when e.event_type <> 'SERVER_TIMEOUT' then e.sequence end) as first_sequence,
  max(case when e.event_type <> 'SERVER_TIMEOUT' then e.sequence end) as last_sequence
from sequenced_events e
group by e.session_no, e.epoch

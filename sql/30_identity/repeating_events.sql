-- repeating_events: client events that share their session, epoch and sequence with another.
-- Grain: one row per such event.
-- Reads: sequenced_events.
-- Rules: R7, second half.
with counted as (
  select
    e.event_no, e.session_no, e.epoch, e.sequence, e.server_ms,
    count(*) over (partition by e.session_no, e.epoch, e.sequence) as events
  from sequenced_events e
  where e.event_type <> 'SERVER_TIMEOUT'
)
select c.event_no, c.session_no, c.epoch, c.sequence, c.server_ms
from counted c
where c.events > 1

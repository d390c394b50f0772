-- tied_events: client events that share session, epoch, sequence and millisecond.
-- Grain: one row per event whose order among its twins depends on its event id.
-- Reads: repeating_events.
-- Rules: R7, second half.
with counted as (
  select
    r.event_no, count(*) over (partition by r.session_no, r.epoch, r.sequence, r.server_ms) as events
  from repeating_events r
)
select c.event_no
from counted c
where c.events > 1

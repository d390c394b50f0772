-- repeating_events: client events that share their session, epoch and sequence with another.
-- Grain: one row per such event.
-- Reads: sequenced_events.
-- Rules: R7, second half. Sixty neighbouring sequences are the bits of one number: where fewer bits are set than there are events, a
--   sequence occurs twice. Only the events of such blocks are compared with each other.
with blocks as (
  select e.session_no, e.epoch, e.sequence - e.sequence % 60 as block
  from sequenced_events e
  where e.event_type <> 'SERVER_TIMEOUT'
  group by e.session_no, e.epoch, e.sequence - e.sequence % 60
  having bit_count(bit_or(cast(1 as bigint) << cast(e.sequence % 60 as integer))) < count(*)
),
counted as (
  select
    e.event_no, e.session_no, e.epoch, e.sequence, e.server_ms,
    count(*) over (partition by e.session_no, e.epoch, e.sequence) as events
  from sequenced_events e
  semi join blocks b on b.session_no = e.session_no and b.epoch = e.epoch and b.block = e.sequence - e.sequence % 60
  where e.event_type <> 'SERVER_TIMEOUT'
)
select c.event_no, c.session_no, c.epoch, c.sequence, c.server_ms
from counted c
where c.events > 1

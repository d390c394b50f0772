-- order_marks: client events that stand out in the order of their epoch: they repeat a sequence, follow a closer, or
--   arrived after a later one.
-- Grain: one row per such event. `tau_ms`: the earliest server_time from it on.
-- Reads: sequenced_events.
-- Rules: R11 (tau), where nothing else is wrong with the session.
with neighbours as (
  select
    e.event_no, e.session_no, e.epoch, e.sequence, e.server_ms,
    lag(e.sequence) over (partition by e.session_no, e.epoch order by e.sequence, e.server_ms, e.event_no)
      as previous_sequence,
    lag(e.event_type) over (partition by e.session_no, e.epoch order by e.sequence, e.server_ms, e.event_no)
      as previous_type,
    min(e.server_ms) over (
      partition by e.session_no, e.epoch order by e.sequence, e.server_ms, e.event_no
      rows between 1 following and unbounded following
    ) as later_ms
  from sequenced_events e
  where e.event_type <> 'SERVER_TIMEOUT'
)
select
  n.event_no,
  n.session_no,
  n.epoch,
  n.server_ms,
  least(n.server_ms, coalesce(n.later_ms, n.server_ms)) as tau_ms,
  coalesce(n.sequence = n.previous_sequence, false) as repeats,
  coalesce(n.previous_type in ('SESSION_CLOSE', 'LOGOUT'), false) as follows_closer
from neighbours n
where n.sequence = n.previous_sequence
  or n.previous_type in ('SESSION_CLOSE', 'LOGOUT')
  or n.later_ms < n.server_ms

-- order_marks: client events that stand out in the order of their epoch: they follow a closer, or arrived after a later one.
-- Grain: one row per such event. `tau_ms`: the earliest server_time from it on.
-- Reads: current_events.
-- Rules: R11 (tau), R12, where nothing else is wrong with the epoch.
with neighbours as (
  select
    e.event_no, e.session_no, e.epoch, e.server_ms,
    lag(e.event_type) over (partition by e.session_no, e.epoch order by e.sequence) as previous_type,
    min(e.server_ms) over (
      partition by e.session_no, e.epoch order by e.sequence desc rows between unbounded preceding and current row
    ) as tau_ms
  from current_events e
  where e.event_type <> 'SERVER_TIMEOUT'
)
select
  n.event_no,
  n.session_no,
  n.epoch,
  n.server_ms,
  n.tau_ms,
  coalesce(n.previous_type in ('SESSION_CLOSE', 'LOGOUT'), false) as follows_closer
from neighbours n
where n.previous_type in ('SESSION_CLOSE', 'LOGOUT') or n.tau_ms < n.server_ms

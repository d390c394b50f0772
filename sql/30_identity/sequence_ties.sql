-- tied_events: client events that share session, epoch, sequence and millisecond.
-- Grain: one row per event whose order among its twins depends on its event id.
-- Reads: suspect_events, suspect_sessions.
-- Rules: R7, second half.
with ties as (
  select e.session_no, e.epoch, e.sequence, e.server_ms
  from suspect_events e
  join suspect_sessions s on s.session_no = e.session_no and s.repeated
  where e.event_type <> 'SERVER_TIMEOUT'
  group by e.session_no, e.epoch, e.sequence, e.server_ms
  having count(*) > 1
)
select e.event_no
from suspect_events e
join ties t
  on t.session_no = e.session_no and t.epoch = e.epoch and t.sequence = e.sequence and t.server_ms = e.server_ms
where e.event_type <> 'SERVER_TIMEOUT'

-- tied_events (sequence: arrival): events that arrived in the same millisecond of one connection.
-- Grain: one row per event whose rank depends on its event id.
-- Reads: distinct_events.
-- Rules: the setting `sequence: arrival` (rank by server_time, event_id).
with ties as (
  select e.session_no, e.epoch, e.server_ms
  from distinct_events e
  group by e.session_no, e.epoch, e.server_ms
  having count(*) > 1
)
select e.event_no
from distinct_events e
join ties t on t.session_no = e.session_no and t.epoch = e.epoch and t.server_ms = e.server_ms

-- suspect_events: the client events of suspect epochs.
-- Grain: one row per event. `only_late`: its epoch's.
-- Reads: current_events, suspect_epochs.
-- Rules: R11, R12, which judge them.
select
  e.event_no, e.identity_no, e.session_no, e.event_type, e.epoch, e.sequence, e.server_ms, e.client_ms, e.last_active_ms,
  e.sets_foreground, e.active, s.only_late
from current_events e
join suspect_epochs s on s.session_no = e.session_no and s.epoch = e.epoch
where e.event_type <> 'SERVER_TIMEOUT'

-- accepted_events: the client events that count, with their effective time.
-- Grain: one row per client event that R3-R12 leave.
-- Reads: sequenced_events, event_verdicts, moved_events.
-- Rules: R11 (tau).
select
  e.event_no, e.identity_no, e.session_no, e.event_type, e.epoch, e.sequence, e.server_ms, e.client_ms,
  e.last_active_ms, e.sets_foreground, e.active, coalesce(m.tau_ms, e.server_ms) as tau_ms
from sequenced_events e
left join moved_events m on m.event_no = e.event_no
anti join event_verdicts v on v.event_no = e.event_no
where e.event_type <> 'SERVER_TIMEOUT'

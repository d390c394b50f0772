-- accepted_events: the client events that count, with their effective time.
-- Grain: one row per client event that R3-R12 leave.
-- Reads: clean_events, moved_events, accepted_suspects.
-- Rules: R11 (tau).
select
  c.event_no, c.identity_no, c.session_no, c.event_type, c.epoch, c.sequence, c.server_ms, c.client_ms,
  c.last_active_ms, c.foreground, c.active, coalesce(m.tau_ms, c.server_ms) as tau_ms
from clean_events c
left join moved_events m on m.event_no = c.event_no
where c.event_type <> 'SERVER_TIMEOUT'
union all
select
  s.event_no, s.identity_no, s.session_no, s.event_type, s.epoch, s.sequence, s.server_ms, s.client_ms,
  s.last_active_ms, s.foreground, s.active, s.tau_ms
from accepted_suspects s

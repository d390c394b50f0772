-- accepted_events: the client events that count, with their effective time.
-- Grain: one row per client event that R3-R12 leave.
-- Reads: clean_events, moved_events, claimed_events, ordered_events.
-- Rules: R11 (tau).
select
  c.event_no, c.identity_no, c.session_no, c.event_type, c.epoch, c.sequence, c.server_ms, c.client_ms,
  c.last_active_ms, c.foreground, c.active, coalesce(m.tau_ms, c.server_ms) as tau_ms
from clean_events c
left join moved_events m on m.event_no = c.event_no
where c.event_type <> 'SERVER_TIMEOUT'
union all
select
  c.event_no, c.identity_no, c.session_no, c.event_type, c.epoch, c.sequence, c.server_ms, c.client_ms,
  c.last_active_ms, c.foreground, c.active, o.tau_ms
from claimed_events c
join ordered_events o on o.event_no = c.event_no
where o.reason is null

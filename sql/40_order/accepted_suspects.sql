-- accepted_suspects: the client events of suspect sessions that count, with their effective time.
-- Grain: one row per client event of a suspect session that R3-R12 leave.
-- Reads: claimed_events, ordered_events.
-- Rules: R11 (tau).
select
  c.event_no, c.identity_no, c.session_no, c.event_type, c.epoch, c.sequence, c.server_ms, c.client_ms,
  c.last_active_ms, c.foreground, c.active, o.tau_ms
from claimed_events c
join ordered_events o on o.event_no = c.event_no
where o.reason is null

-- sequenced_events (sequence: column): the lake's own counter is the sequence.
-- Grain: one row per distinct event.
-- Reads: distinct_events.
-- Rules: the setting `sequence: column`.
select
  e.event_no,
  e.identity_no,
  e.session_no,
  e.event_type,
  e.epoch,
  e.sequence,
  e.server_ms,
  e.client_ms,
  e.last_active_ms,
  e.sets_foreground,
  e.active
from distinct_events e

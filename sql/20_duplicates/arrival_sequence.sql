-- sequenced_events (sequence: arrival): the order of arrival is the sequence.
-- Grain: one row per distinct event.
-- Reads: distinct_events, tied_ids (engine: event ids of tied_events).
-- Rules: the setting `sequence: arrival`.
select
  e.event_no,
  e.identity_no,
  e.session_no,
  e.event_type,
  e.epoch,
  row_number() over (
    partition by e.session_no, e.epoch
    order by e.server_ms, t.event_id nulls first, e.event_no
  ) as sequence,
  e.server_ms,
  e.client_ms,
  e.last_active_ms,
  e.sets_foreground,
  e.active
from distinct_events e
left join tied_ids t on t.event_no = e.event_no

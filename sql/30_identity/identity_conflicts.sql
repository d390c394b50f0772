-- identity_conflicts: events that name another user or device than their session's.
-- Grain: one row per rejected event, SERVER_TIMEOUT included.
-- Reads: sequenced_events, duplicate_sequences, session_owners, identities.
-- Rules: R8 (IDENTITY_CONFLICT; detail user_id or device_id).
select
  e.event_no,
  e.server_ms,
  'IDENTITY_CONFLICT' as reason,
  case when i.user_no <> o.user_no then 'user_id' else 'device_id' end as detail
from sequenced_events e
join identities i on i.identity_no = e.identity_no
join session_owners o on o.session_no = e.session_no
anti join duplicate_sequences d on d.event_no = e.event_no
where i.user_no <> o.user_no or i.device_no <> o.device_no

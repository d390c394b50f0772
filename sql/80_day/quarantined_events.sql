-- quarantined_events: the day's rejected events as the lake has them.
-- Grain: one row per quarantined event.
-- Reads: owned_verdicts, rejected_rows (engine: the lake's rows of owned_verdicts, with file and row), settings.
-- Rules: R2-R12. The detail of an unknown type is the type itself (R5). Where the order of arrival is the sequence, the
--   lake's own is not read.
select
  v.reason,
  case when v.reason = 'UNKNOWN_EVENT_TYPE' then r.event_type else v.detail end as detail,
  r.event_id,
  r.user_id,
  r.session_id,
  r.event_type,
  r.server_ms,
  case when not s.sequence_by_arrival then r.sequence end as sequence,
  case when not r.unread_session_epoch then coalesce(r.session_epoch, 0) end as session_epoch,
  r.device_id,
  r.client_type,
  r.channel,
  r.app_version,
  r.region,
  case when r.client_ms >= 946684800000 and r.client_ms < 4102444800000 then r.client_ms end as client_ms,
  case when r.last_active_ms >= 946684800000 and r.last_active_ms < 4102444800000 then r.last_active_ms end
    as last_active_ms,
  r.foreground,
  r.active,
  r.source_file,
  r.source_row
from owned_verdicts v
join rejected_rows r on r.event_no = v.event_no
cross join settings s

-- readings: every row of the lake with its time and the first field rule that it breaks, if any.
-- Grain: one row per row of the lake whose time lies in the read window. `fault` null: admitted so far; else the reason, with the
--   field after a point where it has one. `event_type` null: none, or an unknown one.
-- Reads: raw_events (engine), settings, day_windows, known_event_types.
-- Rules: R1 (time, read window), R3 MISSING_FIELD, R4 INVALID_VALUE, R5 UNKNOWN_EVENT_TYPE, R6 PARTITION_MISMATCH. Conditions
--   stand where they are asked, so that an engine stops at the first that decides instead of working out all for every row.
with placed as (
  select
    r.event_no, r.hour_ms, r.event_id, r.user_id, r.session_id, r.event_type, r.server_ms, r.session_epoch, r.device_id,
    r.client_type, r.channel, r.app_version, r.region, r.foreground, r.active, r.unread_server_time,
    r.unread_session_epoch, r.unread_foreground, r.unread_active, r.unread_client_time, r.unread_last_active_at,
    r.client_ms as raw_client_ms, r.last_active_ms as raw_active_ms, k.event_type as known_type, s.sequence_by_arrival,
    case when not s.sequence_by_arrival then r.sequence end as sequence,
    r.unread_sequence and not s.sequence_by_arrival as unread_sequence,
    case when r.client_ms >= 946684800000 and r.client_ms < 4102444800000 then r.client_ms end as client_ms,
    case when r.last_active_ms >= 946684800000 and r.last_active_ms < 4102444800000 then r.last_active_ms end
      as last_active_ms,
    coalesce(r.server_ms >= r.hour_ms - s.partition_slack_ms
      and r.server_ms < r.hour_ms + 3600000 + s.partition_slack_ms, false) as in_partition
  from raw_events r
  cross join settings s
  left join known_event_types k on k.event_type = r.event_type
),
dated as (
  select p.*, case when p.in_partition then p.server_ms else p.hour_ms end as time_ms
  from placed p
)
select
  d.event_no, d.time_ms,
  case
    when d.in_partition and d.known_type is not null and d.event_id is not null and d.user_id is not null
      and d.session_id is not null and d.server_ms >= 946684800000 and d.server_ms < 4102444800000
      and not d.unread_server_time and not d.unread_sequence and not d.unread_session_epoch
      and coalesce(d.session_epoch, 0) >= 0
      and (d.sequence >= 0 or (d.sequence is null and (d.sequence_by_arrival or d.event_type = 'SERVER_TIMEOUT')))
      then null
    when d.event_id is null then 'MISSING_FIELD.event_id'
    when d.user_id is null then 'MISSING_FIELD.user_id'
    when d.session_id is null then 'MISSING_FIELD.session_id'
    when d.event_type is null then 'MISSING_FIELD.event_type'
    when d.server_ms is null and not d.unread_server_time then 'MISSING_FIELD.server_time'
    when d.sequence is null and not d.unread_sequence and not d.sequence_by_arrival
      and d.event_type <> 'SERVER_TIMEOUT' then 'MISSING_FIELD.sequence'
    when d.unread_server_time or d.server_ms < 946684800000 or d.server_ms >= 4102444800000
      then 'INVALID_VALUE.server_time'
    when d.unread_sequence or d.sequence < 0 then 'INVALID_VALUE.sequence'
    when d.unread_session_epoch or d.session_epoch < 0 then 'INVALID_VALUE.session_epoch'
    when d.known_type is null then 'UNKNOWN_EVENT_TYPE'
    when not d.in_partition then 'PARTITION_MISMATCH'
  end as fault,
  d.event_id, d.user_id, d.session_id, d.known_type as event_type, d.sequence, coalesce(d.session_epoch, 0) as epoch,
  d.device_id, d.client_type, d.channel, d.app_version, d.region, d.client_ms, d.last_active_ms, d.foreground, d.active,
  case when d.client_ms is null and (d.unread_client_time or d.raw_client_ms is not null) then 1 else 0 end
    + case when d.last_active_ms is null and (d.unread_last_active_at or d.raw_active_ms is not null) then 2 else 0 end
    + case when d.unread_foreground then 4 else 0 end + case when d.unread_active then 8 else 0 end as unread_options
from dated d
cross join day_windows w
where d.time_ms >= w.window_start_ms and d.time_ms < w.window_end_ms

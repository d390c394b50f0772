-- readings: every row of the lake with its time and the first field rule that it breaks, if any.
-- Grain: one row per row of the lake whose time lies in the read window. `reason` null: admitted so far.
-- Reads: raw_events (engine), settings, day_windows, known_event_types.
-- Rules: R1 (time, read window), R3 MISSING_FIELD, R4 INVALID_VALUE, R5 UNKNOWN_EVENT_TYPE, R6 PARTITION_MISMATCH.
with placed as (
  select
    r.event_no, r.hour_ms, r.event_id, r.user_id, r.session_id, r.event_type, r.server_ms, r.session_epoch, r.device_id,
    r.client_type, r.channel, r.app_version, r.region, r.foreground, r.active, r.unread_server_time,
    r.unread_session_epoch, r.unread_foreground, r.unread_active,
    k.event_type as known_type,
    s.sequence_by_arrival,
    case when not s.sequence_by_arrival then r.sequence end as sequence,
    r.unread_sequence and not s.sequence_by_arrival as unread_sequence,
    case when r.client_ms >= 946684800000 and r.client_ms < 4102444800000 then r.client_ms end as client_ms,
    case when r.last_active_ms >= 946684800000 and r.last_active_ms < 4102444800000 then r.last_active_ms end
      as last_active_ms,
    r.client_ms as raw_client_ms, r.last_active_ms as raw_active_ms, r.unread_client_time, r.unread_last_active_at,
    coalesce(r.server_ms >= r.hour_ms - s.partition_slack_ms
      and r.server_ms < r.hour_ms + 3600000 + s.partition_slack_ms, false) as in_partition
  from raw_events r
  cross join settings s
  left join known_event_types k on k.event_type = r.event_type
),
weighed as (
  select
    p.*,
    p.unread_client_time or (p.raw_client_ms is not null and p.client_ms is null) as unread_client,
    p.unread_last_active_at or (p.raw_active_ms is not null and p.last_active_ms is null) as unread_last_active,
    case when p.in_partition and p.known_type is not null and p.event_id is not null and p.user_id is not null
      and p.session_id is not null and p.server_ms >= 946684800000 and p.server_ms < 4102444800000
      and not p.unread_server_time and not p.unread_sequence and not p.unread_session_epoch
      and coalesce(p.session_epoch, 0) >= 0
      and (p.sequence >= 0 or (p.sequence is null and (p.sequence_by_arrival or p.event_type = 'SERVER_TIMEOUT')))
      then true else false end as is_fine
  from placed p
),
judged as (
  select
    p.*,
    case when p.in_partition then p.server_ms else p.hour_ms end as time_ms,
    case
      when p.is_fine then null
      when p.event_id is null then 'event_id'
      when p.user_id is null then 'user_id'
      when p.session_id is null then 'session_id'
      when p.event_type is null then 'event_type'
      when p.server_ms is null and not p.unread_server_time then 'server_time'
      when p.sequence is null and not p.unread_sequence and not p.sequence_by_arrival
        and p.event_type <> 'SERVER_TIMEOUT' then 'sequence'
    end as missing_field,
    case
      when p.is_fine then null
      when p.unread_server_time or p.server_ms < 946684800000 or p.server_ms >= 4102444800000 then 'server_time'
      when p.unread_sequence or p.sequence < 0 then 'sequence'
      when p.unread_session_epoch or p.session_epoch < 0 then 'session_epoch'
    end as invalid_field
  from weighed p
)
select
  j.event_no, j.time_ms,
  case
    when j.is_fine then null
    when j.missing_field is not null then 'MISSING_FIELD'
    when j.invalid_field is not null then 'INVALID_VALUE'
    when j.known_type is null then 'UNKNOWN_EVENT_TYPE'
    when not j.in_partition then 'PARTITION_MISMATCH'
  end as reason,
  coalesce(j.missing_field, j.invalid_field) as detail,
  j.event_id, j.user_id, j.session_id, j.event_type, j.server_ms, j.sequence, coalesce(j.session_epoch, 0) as epoch,
  j.device_id, j.client_type, j.channel, j.app_version, j.region, j.client_ms, j.last_active_ms, j.foreground, j.active,
  case when j.unread_client or j.unread_last_active or j.unread_foreground or j.unread_active
    then case when j.unread_client then 1 else 0 end + case when j.unread_last_active then 2 else 0 end
      + case when j.unread_foreground then 4 else 0 end + case when j.unread_active then 8 else 0 end
    else 0 end as unread_options
from judged j
cross join day_windows w
where j.time_ms >= w.window_start_ms and j.time_ms < w.window_end_ms

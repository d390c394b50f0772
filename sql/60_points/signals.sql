-- signals: what each accepted client event tells.
-- Grain: one row per (timing, accepted client event). `told_ms`: when the interaction that it tells of happened. `idle_ms`: the
--   shortest of the timing's definitions, null where none uses `active`.
-- Reads: timed_events, settings.
-- Rules: R16 (told_ms).
with told as (
  select
    t.timing_no, t.event_no, t.identity_no, t.session_no, t.event_type, t.epoch, t.sequence, t.server_ms, t.tau_ms,
    t.sets_foreground, t.idle_ms,
    case
      when t.last_active_ms is not null and t.client_ms is not null
        then t.tau_ms - greatest(t.client_ms - t.last_active_ms, 0)
      when t.last_active_ms is not null then least(t.last_active_ms, t.tau_ms)
      when t.active or (t.active is null and t.event_type in ('USER_ACTIVE', 'APP_FOREGROUND', 'SESSION_START'))
        then t.tau_ms
    end as told_ms
  from timed_events t
)
select
  t.timing_no, t.event_no, t.identity_no, t.session_no, t.event_type, t.epoch, t.sequence, t.server_ms, t.tau_ms,
  t.sets_foreground, t.idle_ms,
  case when t.server_ms - t.told_ms <= s.lookahead_ms then t.told_ms end as told_ms
from told t
cross join settings s

-- distinct_events: the admitted events of the sessions that can bear on the day, with one row per event id.
-- Grain: one row per event that the first half of R7 keeps. `sets_foreground`: null where it says nothing of that state.
-- Reads: events, duplicate_events, reaching_sessions.
-- Rules: R7, first half; R15 (what sets the state; a SESSION_START's own rule follows in points).
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
  case
    when e.event_type = 'APP_FOREGROUND' then true
    when e.event_type = 'APP_BACKGROUND' then false
    else e.foreground
  end as sets_foreground,
  e.active
from events e
semi join reaching_sessions s on s.session_no = e.session_no
anti join duplicate_events d on d.event_no = e.event_no

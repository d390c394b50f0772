-- timed_events (where no definition compensates): accepted client events, at the time that arrivals tell.
-- Grain: one row per accepted client event, since all definitions then share one timing.
-- Reads: accepted_events, timings.
-- Rules: R13 (lateUpload ignore: tau of R11).
select
  t.timing_no, e.event_no, e.identity_no, e.session_no, e.event_type, e.epoch, e.sequence, e.server_ms, e.client_ms,
  e.last_active_ms, e.sets_foreground, e.active, e.tau_ms, t.idle_ms
from accepted_events e
cross join timings t

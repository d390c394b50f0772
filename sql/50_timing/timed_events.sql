-- timed_events: accepted client events under each way of telling when they happened.
-- Grain: one row per (timing, accepted client event). `idle_ms`: the timing's.
-- Reads: accepted_events, timings, compensated_times.
-- Rules: R13 (lateUpload ignore: tau of R11; compensate: compensated_times).
select
  t.timing_no, e.event_no, e.identity_no, e.session_no, e.event_type, e.epoch, e.sequence, e.server_ms, e.client_ms,
  e.last_active_ms, e.sets_foreground, e.active, e.tau_ms, t.idle_ms
from accepted_events e
cross join timings t
where not t.compensates
union all
select
  c.timing_no, e.event_no, e.identity_no, e.session_no, e.event_type, e.epoch, e.sequence, e.server_ms, e.client_ms,
  e.last_active_ms, e.sets_foreground, e.active, c.tau_ms, t.idle_ms
from compensated_times c
join timings t on t.timing_no = c.timing_no
join accepted_events e on e.event_no = c.event_no

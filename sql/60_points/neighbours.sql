-- neighbours: what an accepted client event tells, beside what those before and after it in its epoch do.
-- Grain: one row per (timing, accepted client event) of the epochs whose turning points are not all landmarks.
-- Reads: signals, suspect_events, ordered_events, point_bounds.
-- Rules: R14, R15 (which neighbours matter).
with followed as (
  select
    s.timing_no, s.session_no, s.epoch, s.sequence, s.event_no, s.identity_no, s.event_type, s.server_ms, s.tau_ms,
    s.sets_foreground
  from signals s
  join point_bounds b on b.timing_no = s.timing_no and not b.by_landmarks
  union all
  select
    b.timing_no, e.session_no, e.epoch, e.sequence, e.event_no, e.identity_no, e.event_type, e.server_ms, o.tau_ms,
    e.sets_foreground
  from suspect_events e
  join ordered_events o on o.event_no = e.event_no
  cross join point_bounds b
  where o.reason is null and b.by_landmarks
)
select
  f.timing_no, f.session_no, f.epoch, f.sequence, f.event_no, f.identity_no, f.event_type, f.server_ms, f.tau_ms,
  f.sets_foreground,
  lag(f.tau_ms) over (partition by f.session_no, f.timing_no, f.epoch order by f.sequence) as previous_tau_ms,
  lag(f.identity_no) over (partition by f.session_no, f.timing_no, f.epoch order by f.sequence)
    as previous_identity_no,
  lag(f.sets_foreground) over (partition by f.session_no, f.timing_no, f.epoch order by f.sequence) as previous_sets,
  lead(f.tau_ms) over (partition by f.session_no, f.timing_no, f.epoch order by f.sequence) as next_tau_ms
from followed f

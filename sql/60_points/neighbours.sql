-- neighbours: what each accepted client event tells, beside what those before and after it in its epoch do.
-- Grain: one row per (timing, accepted client event).
-- Reads: signals.
-- Rules: R14, R15 (which neighbours matter).
select
  s.timing_no, s.session_no, s.epoch, s.sequence, s.event_no, s.identity_no, s.event_type, s.server_ms, s.tau_ms,
  s.sets_foreground,
  lag(s.tau_ms) over (partition by s.session_no, s.timing_no, s.epoch order by s.sequence) as previous_tau_ms,
  lag(s.identity_no) over (partition by s.session_no, s.timing_no, s.epoch order by s.sequence)
    as previous_identity_no,
  lag(s.sets_foreground) over (partition by s.session_no, s.timing_no, s.epoch order by s.sequence) as previous_sets,
  lead(s.tau_ms) over (partition by s.session_no, s.timing_no, s.epoch order by s.sequence) as next_tau_ms
from signals s

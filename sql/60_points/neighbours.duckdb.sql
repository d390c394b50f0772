-- neighbours (DuckDB): what each accepted client event tells, beside what those before and after it in its epoch do.
-- Grain: one row per (timing, accepted client event).
-- Reads: signals, timings.
-- Rules: R14, R15 (which neighbours matter). Under the timing of arrivals rows come in falling order of (session_no,
--   epoch, sequence), as their table was written; an error where they do not. Under any other they are sorted.
with arrived as (
  select
    s.timing_no, s.session_no, s.epoch, s.sequence, s.event_no, s.identity_no, s.event_type, s.server_ms, s.tau_ms,
    s.sets_foreground
  from signals s
  semi join (select t.timing_no from timings t where not t.compensates) a on a.timing_no = s.timing_no
),
stepped as (
  select
    a.*,
    lag(a.session_no) over () as later_session_no, lag(a.epoch) over () as later_epoch,
    lag(a.sequence) over () as later_sequence, lag(a.tau_ms) over () as later_tau_ms,
    lead(a.session_no) over () as earlier_session_no, lead(a.epoch) over () as earlier_epoch,
    lead(a.tau_ms) over () as earlier_tau_ms, lead(a.identity_no) over () as earlier_identity_no,
    lead(a.sets_foreground) over () as earlier_sets
  from arrived a
),
joined as (
  select
    s.*,
    coalesce(s.earlier_session_no = s.session_no and s.earlier_epoch = s.epoch, false) as has_previous,
    case
      when s.later_session_no is null or s.later_session_no > s.session_no then false
      when s.later_session_no < s.session_no or s.later_epoch < s.epoch then error('rows out of order')
      when s.later_epoch > s.epoch then false
      when s.later_sequence <= s.sequence then error('rows out of order')
      else true
    end as has_next
  from stepped s
)
select
  j.timing_no, j.session_no, j.epoch, j.sequence, j.event_no, j.identity_no, j.event_type, j.server_ms, j.tau_ms,
  j.sets_foreground,
  case when j.has_previous then j.earlier_tau_ms end as previous_tau_ms,
  case when j.has_previous then j.earlier_identity_no end as previous_identity_no,
  case when j.has_previous then j.earlier_sets end as previous_sets,
  case when j.has_next then j.later_tau_ms end as next_tau_ms
from joined j
union all
select
  s.timing_no, s.session_no, s.epoch, s.sequence, s.event_no, s.identity_no, s.event_type, s.server_ms, s.tau_ms,
  s.sets_foreground,
  lag(s.tau_ms) over w as previous_tau_ms, lag(s.identity_no) over w as previous_identity_no,
  lag(s.sets_foreground) over w as previous_sets,
  lead(s.tau_ms) over w as next_tau_ms
from signals s
semi join (select t.timing_no from timings t where t.compensates) c on c.timing_no = s.timing_no
window w as (partition by s.session_no, s.timing_no, s.epoch order by s.sequence)

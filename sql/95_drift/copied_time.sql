-- copied_time: what copies of events add where each counts the time of its original once more.
-- Grain: one row per (definition, user whose copies add any). `copies`: rejected copies of events that earn time in the day; an
--   original is found by its sequence, so none are with `sequence: arrival`.
-- Reads: event_verdicts, events, points (every accepted event one), slots, day_spans, session_attributes, definitions.
-- Rules: R7 left out, in a sum of slots.
with originals as (
  select v.event_no, p.timing_no, p.session_no, p.tau_ms
  from event_verdicts v
  join events e on e.event_no = v.event_no
  join points p on p.session_no = e.session_no and p.epoch = e.epoch and p.sequence = e.sequence
  where v.reason in ('DUPLICATE_EVENT', 'DUPLICATE_SEQUENCE')
)
select
  d.metric_no,
  a.user_id,
  count(distinct o.event_no) as copies,
  cast(sum(least(t.end_ms, s.end_ms) - greatest(t.start_ms, s.start_ms)) as bigint) as added_ms
from originals o
join definitions d on d.timing_no = o.timing_no
join slots s on s.metric_no = d.metric_no and s.session_no = o.session_no and s.start_ms = o.tau_ms
join day_spans t
  on t.metric_no = d.metric_no and t.session_no = o.session_no and t.start_ms < s.end_ms and t.end_ms > s.start_ms
join session_attributes a on a.session_no = o.session_no
group by d.metric_no, a.user_id

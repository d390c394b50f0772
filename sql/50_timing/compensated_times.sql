-- compensated_times: effective times under definitions that move late uploads back.
-- Grain: one row per (timing, accepted client event); empty where no definition compensates.
-- Reads: timings, current_events, suspect_epochs, suspect_events, ordered_events.
-- Rules: R13. The offset and tau take in what R11 left, so also the events that R12 rejects.
with left_by_order as (
  select c.event_no, c.session_no, c.epoch, c.sequence, c.server_ms, c.client_ms, true as accepted
  from current_events c
  anti join suspect_epochs s on s.session_no = c.session_no and s.epoch = c.epoch
  where c.event_type <> 'SERVER_TIMEOUT'
  union all
  select c.event_no, c.session_no, c.epoch, c.sequence, c.server_ms, c.client_ms, o.reason is null as accepted
  from suspect_events c
  join ordered_events o on o.event_no = c.event_no
  where o.tau_ms is not null
),
offsets as (
  select
    t.timing_no, t.gap_max_ms, t.max_shift_ms, l.*,
    min(l.server_ms - l.client_ms) over (partition by t.timing_no, l.session_no, l.epoch) as offset_ms,
    min(case when l.client_ms is not null then l.server_ms end) over (
      partition by t.timing_no, l.session_no, l.epoch
    ) as first_ms
  from timings t
  cross join left_by_order l
  where t.compensates
),
based as (
  select
    o.*,
    case
      when o.server_ms - o.client_ms - o.offset_ms > o.gap_max_ms
        and o.server_ms - o.client_ms - o.offset_ms <= o.max_shift_ms
        then greatest(o.client_ms + o.offset_ms, o.first_ms)
      else o.server_ms
    end as base_ms
  from offsets o
),
moved as (
  select
    b.timing_no, b.event_no, b.accepted,
    min(b.base_ms) over (
      partition by b.session_no, b.timing_no, b.epoch order by b.sequence desc
      rows between unbounded preceding and current row
    ) as tau_ms
  from based b
)
select m.timing_no, m.event_no, m.tau_ms
from moved m
where m.accepted

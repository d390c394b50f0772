-- point_bounds: what all definitions of a timing agree on, so that rows between turning points can be left out.
-- Grain: one row per timing. `by_landmarks`: every turning point of an epoch of which nothing is rejected is a landmark, as
--   arrivals tell the times, and no definition has states of its own or looks at other devices.
-- Reads: definitions, timings, states.
-- Rules: R14 (gap.max): what the smallest bridges, all bridge.
with own_states as (
  select distinct s.metric_no from states s
)
select
  d.timing_no,
  min(d.gap_max_ms) as gap_max_ms,
  max(case when t.compensates or d.latest_device or o.metric_no is not null then 1 else 0 end) = 0 as by_landmarks
from definitions d
join timings t on t.timing_no = d.timing_no
left join own_states o on o.metric_no = d.metric_no
group by d.timing_no

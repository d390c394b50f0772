-- own_states: a definition's own states as they hold from each turning point on.
-- Grain: one row per (definition with own states, turning point) where at least one of them is true.
--   `mask`: sum of the bits (4, 8, 16, ...) of the true ones.
-- Reads: points, definitions, states, state_events.
-- Rules: R17 (latest setting by session_epoch, sequence; no initial value).
with settings_made as (
  select
    b.metric_no, b.state_bit, p.session_no, p.point_no,
    case when x.is_on then p.point_no * 2 + 1 when not x.is_on then p.point_no * 2 end as mark
  from states b
  join definitions d on d.metric_no = b.metric_no
  join points p on p.timing_no = d.timing_no
  left join state_events x
    on x.metric_no = b.metric_no and x.state_bit = b.state_bit and x.event_no = p.event_no
),
latest as (
  select
    m.metric_no, m.state_bit, m.session_no, m.point_no,
    max(m.mark) over (
      partition by m.metric_no, m.state_bit, m.session_no order by m.point_no
      rows between unbounded preceding and current row
    ) as latest_mark
  from settings_made m
)
select l.metric_no, l.session_no, l.point_no, cast(sum(l.state_bit) as bigint) as mask
from latest l
where l.latest_mark % 2 = 1
group by l.metric_no, l.session_no, l.point_no

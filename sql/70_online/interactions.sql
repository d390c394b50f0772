-- interactions: the interactions that decide how long a session is active, each with the first USER_IDLE that ends it.
-- Grain: one row per (timing, kept interaction). `linked_ms`: the next interaction, where the time between the two is
--   active under every definition; `idle_at_ms`: the USER_IDLE that cuts it, if any.
-- Reads: points.
-- Rules: R16 (cut at the first USER_IDLE whose tau is after a, or is a and whose (session_epoch, sequence) is not below
--   that of the event that told of the interaction).
with marks as (
  select
    p.timing_no, p.session_no, p.told_ms as at_ms, p.point_no, 0 as is_idle,
    case when p.told_on then lead(p.told_ms) over (partition by p.timing_no, p.session_no order by p.point_no) end
      as linked_ms
  from points p
  where p.told_ms is not null
  union all
  select p.timing_no, p.session_no, p.tau_ms as at_ms, p.point_no, 1 as is_idle, cast(null as bigint) as linked_ms
  from points p
  where p.event_type = 'USER_IDLE'
),
followed as (
  select
    m.timing_no, m.session_no, m.at_ms, m.is_idle, m.linked_ms,
    min(case when m.is_idle = 1 then m.at_ms end) over (
      partition by m.timing_no, m.session_no order by m.at_ms, m.point_no, m.is_idle
      rows between current row and unbounded following
    ) as idle_at_ms
  from marks m
)
select f.timing_no, f.session_no, f.at_ms, f.linked_ms, f.idle_at_ms
from followed f
where f.is_idle = 0

-- interactions: the interactions of each session, those of a short while taken together, with the USER_IDLE that ends them.
-- Grain: one row per (timing, session, while with interactions, USER_IDLE that cuts some of them within the while): a while
--   is as long as the shortest `idle`, so that the time between the first and the last interaction is active.
--   `idle_at_ms`: the USER_IDLE that cuts them, if any.
-- Reads: signals, idles, point_bounds.
-- Rules: R16 (cut at the first USER_IDLE whose tau is after a, or is a and whose (session_epoch, sequence) is not below
--   that of the event that told of the interaction).
with cut_whiles as (
  select distinct i.timing_no, i.session_no, i.while_ms, true as is_cut
  from idles i
),
told as (
  select
    g.timing_no, g.session_no, g.epoch, g.sequence, g.told_ms, g.told_ms - g.told_ms % greatest(b.idle_ms, 1) as while_ms
  from signals g
  join point_bounds b on b.timing_no = g.timing_no
  where g.told_ms is not null and b.idle_ms is not null
),
gathered as (
  select
    t.timing_no, t.session_no, t.while_ms, coalesce(c.is_cut, false) as is_cut,
    case when c.is_cut then t.epoch else 0 end as epoch, case when c.is_cut then t.sequence else 0 end as sequence,
    min(t.told_ms) as first_ms, max(t.told_ms) as last_ms
  from told t
  left join cut_whiles c on c.timing_no = t.timing_no and c.session_no = t.session_no and c.while_ms = t.while_ms
  group by
    t.timing_no, t.session_no, t.while_ms, coalesce(c.is_cut, false),
    case when c.is_cut then t.epoch else 0 end, case when c.is_cut then t.sequence else 0 end
),
cut as (
  select g.timing_no, g.session_no, g.while_ms, g.epoch, g.sequence, g.first_ms, min(i.tau_ms) as idle_at_ms
  from gathered g
  left join idles i
    on i.timing_no = g.timing_no and i.session_no = g.session_no and i.while_ms = g.while_ms
    and (i.tau_ms > g.first_ms or (i.tau_ms = g.first_ms
      and (i.epoch > g.epoch or (i.epoch = g.epoch and i.sequence >= g.sequence))))
  where g.is_cut
  group by g.timing_no, g.session_no, g.while_ms, g.epoch, g.sequence, g.first_ms
),
marks as (
  select g.timing_no, g.session_no, g.while_ms, g.first_ms, g.last_ms, cast(null as bigint) as idle_at_ms, 0 as is_idle
  from gathered g
  where not g.is_cut
  union all
  select c.timing_no, c.session_no, c.while_ms, min(c.first_ms) as first_ms, max(c.first_ms) as last_ms, c.idle_at_ms,
    0 as is_idle
  from cut c
  group by c.timing_no, c.session_no, c.while_ms, c.idle_at_ms
  union all
  select i.timing_no, i.session_no, i.while_ms, min(i.tau_ms) as first_ms, min(i.tau_ms) as last_ms,
    min(i.tau_ms) as idle_at_ms, 1 as is_idle
  from idles i
  group by i.timing_no, i.session_no, i.while_ms
),
followed as (
  select
    m.timing_no, m.session_no, m.first_ms, m.last_ms, m.idle_at_ms, m.is_idle,
    min(case when m.is_idle = 1 then m.first_ms end) over (
      partition by m.session_no, m.timing_no order by m.while_ms, m.is_idle desc, m.first_ms, m.idle_at_ms nulls first
      rows between 1 following and unbounded following
    ) as next_idle_ms
  from marks m
)
select f.timing_no, f.session_no, f.first_ms, f.last_ms, coalesce(f.idle_at_ms, f.next_idle_ms) as idle_at_ms
from followed f
where f.is_idle = 0

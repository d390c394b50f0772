-- interactions: the interactions of each session, those of a short while taken together, with the USER_IDLE that ends them.
-- Grain: one row per (timing, session, while with interactions, USER_IDLE that cuts them): a while is as long as the
--   shortest `idle`, so that the time between the first and the last interaction is active. `idle_at_ms`: null where none
--   cuts them.
-- Reads: signals, idles.
-- Rules: R16 (cut at the first USER_IDLE whose tau is after a, or is a and whose (session_epoch, sequence) is not below
--   that of the event that told of the interaction).
with cut_whiles as (
  select i.timing_no, i.session_no, i.while_ms, min(i.tau_ms) as first_idle_ms, max(i.tau_ms) as last_idle_ms
  from idles i
  group by i.timing_no, i.session_no, i.while_ms
),
told as (
  select
    g.timing_no, g.session_no, g.epoch, g.sequence, g.told_ms, g.told_ms - g.told_ms % greatest(g.idle_ms, 1) as while_ms
  from signals g
  where g.idle_ms is not null and g.told_ms is not null
),
placed as (
  select
    t.timing_no, t.session_no, t.while_ms, t.told_ms, t.epoch, t.sequence,
    coalesce(t.told_ms > c.last_idle_ms, false) as is_after,
    coalesce(t.told_ms >= c.first_idle_ms and t.told_ms <= c.last_idle_ms, false) as is_between
  from told t
  left join cut_whiles c on c.timing_no = t.timing_no and c.session_no = t.session_no and c.while_ms = t.while_ms
),
gathered as (
  select
    p.timing_no, p.session_no, p.while_ms, p.is_after,
    case when p.is_between then p.epoch else -1 end as epoch,
    case when p.is_between then p.sequence else -1 end as sequence,
    min(p.told_ms) as first_ms,
    max(p.told_ms) as last_ms
  from placed p
  group by
    p.timing_no, p.session_no, p.while_ms, p.is_after,
    case when p.is_between then p.epoch else -1 end, case when p.is_between then p.sequence else -1 end
),
marks as (
  select g.timing_no, g.session_no, g.while_ms, g.first_ms, g.last_ms, g.epoch, g.sequence, 0 as is_idle
  from gathered g
  union all
  select i.timing_no, i.session_no, i.while_ms, i.tau_ms as first_ms, i.tau_ms as last_ms, i.epoch, i.sequence,
    1 as is_idle
  from idles i
),
followed as (
  select
    m.timing_no, m.session_no, m.while_ms, m.first_ms, m.last_ms, m.is_idle,
    min(case when m.is_idle = 1 then m.first_ms end) over (
      partition by m.session_no, m.timing_no order by m.first_ms desc, m.epoch desc, m.sequence desc, m.is_idle desc
      rows between unbounded preceding and current row
    ) as idle_at_ms
  from marks m
)
select f.timing_no, f.session_no, min(f.first_ms) as first_ms, max(f.last_ms) as last_ms, f.idle_at_ms
from followed f
where f.is_idle = 0
group by f.timing_no, f.session_no, f.while_ms, f.idle_at_ms

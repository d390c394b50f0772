-- activity: when a session's user was active, foreground or not.
-- Grain: one row per (definition that uses `active`, session, interval); disjoint, touching ones merged.
-- Reads: interactions, definitions.
-- Rules: R16 (union of [a, a + idle), each cut at its USER_IDLE). Of interactions at one instant the longest stands for
--   all, so that no two rows of a session begin alike and every window has a total order.
with lasting as (
  select
    d.metric_no, i.session_no, i.first_ms as start_ms,
    max(least(i.last_ms + d.idle_ms, coalesce(i.idle_at_ms, i.last_ms + d.idle_ms))) as end_ms
  from interactions i
  join definitions d on d.timing_no = i.timing_no
  where d.uses_active
  group by d.metric_no, i.session_no, i.first_ms
),
reaching as (
  select
    l.metric_no, l.session_no, l.start_ms, l.end_ms,
    max(l.end_ms) over (
      partition by l.session_no, l.metric_no order by l.start_ms
      rows between unbounded preceding and 1 preceding
    ) as reached_ms
  from lasting l
  where l.end_ms > l.start_ms
),
islands as (
  select
    r.metric_no, r.session_no, r.start_ms, r.end_ms,
    sum(case when r.start_ms <= r.reached_ms then 0 else 1 end) over (
      partition by r.session_no, r.metric_no order by r.start_ms
      rows between unbounded preceding and current row
    ) as island_no
  from reaching r
)
select i.metric_no, i.session_no, min(i.start_ms) as start_ms, max(i.end_ms) as end_ms
from islands i
group by i.metric_no, i.session_no, i.island_no

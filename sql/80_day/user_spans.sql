-- user_spans: a user's online time in the day, over all sessions and devices.
-- Grain: one row per (definition, user, interval); disjoint, touching ones merged.
-- Reads: day_spans.
-- Rules: R21 (union).
with reaching as (
  select
    d.metric_no, d.user_no, d.session_no, d.start_ms, d.end_ms,
    max(d.end_ms) over (
      partition by d.user_no, d.metric_no order by d.start_ms, d.end_ms, d.session_no
      rows between unbounded preceding and 1 preceding
    ) as reached_ms
  from day_spans d
),
islands as (
  select
    r.metric_no, r.user_no, r.start_ms, r.end_ms,
    sum(case when r.start_ms <= r.reached_ms then 0 else 1 end) over (
      partition by r.user_no, r.metric_no order by r.start_ms, r.end_ms, r.session_no
      rows between unbounded preceding and current row
    ) as island_no
  from reaching r
)
select i.metric_no, i.user_no, min(i.start_ms) as start_ms, max(i.end_ms) as end_ms
from islands i
group by i.metric_no, i.user_no, i.island_no

-- summary_spans: a user's online time in the day within each group.
-- Grain: one row per (definition, group, user, interval); disjoint, touching ones merged.
-- Reads: user_spans, day_spans, session_groups, summary_groups.
-- Rules: R21 (union per user within the value); the total is the union that user_spans already is.
with spans as (
  select d.metric_no, s.group_no, d.user_no, d.session_no, d.start_ms, d.end_ms
  from day_spans d
  join session_groups s on s.session_no = d.session_no
  join summary_groups g on g.group_no = s.group_no
  where g.dimension <> 'total'
),
reaching as (
  select
    p.*,
    max(p.end_ms) over (
      partition by p.metric_no, p.group_no, p.user_no order by p.start_ms, p.end_ms, p.session_no
      rows between unbounded preceding and 1 preceding
    ) as reached_ms
  from spans p
),
islands as (
  select
    r.metric_no, r.group_no, r.user_no, r.start_ms, r.end_ms,
    sum(case when r.start_ms <= r.reached_ms then 0 else 1 end) over (
      partition by r.metric_no, r.group_no, r.user_no order by r.start_ms, r.end_ms, r.session_no
      rows between unbounded preceding and current row
    ) as island_no
  from reaching r
)
select i.metric_no, i.group_no, i.user_no, min(i.start_ms) as start_ms, max(i.end_ms) as end_ms
from islands i
group by i.metric_no, i.group_no, i.user_no, i.island_no
union all
select u.metric_no, g.group_no, u.user_no, u.start_ms, u.end_ms
from user_spans u
cross join summary_groups g
where g.dimension = 'total'

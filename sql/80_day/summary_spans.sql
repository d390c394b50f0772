-- summary_spans: a user's online time in the day within each group.
-- Grain: one row per (definition, group, user, interval); disjoint, touching ones merged.
-- Reads: user_spans, day_spans, session_groups, summary_groups.
-- Rules: R21 (union per user within the value). Of a dimension in which all sessions of a user have one value, the union is
--   the one that user_spans already is; so it is for the total.
with sessions as (
  select distinct d.metric_no, d.user_no, d.session_no
  from day_spans d
),
values_of_users as (
  select s.metric_no, s.user_no, g.dimension, min(g.group_no) as first_no, max(g.group_no) as last_no
  from sessions s
  join session_groups m on m.session_no = s.session_no
  join summary_groups g on g.group_no = m.group_no
  group by s.metric_no, s.user_no, g.dimension
),
shared as (
  select d.metric_no, m.group_no, d.user_no, d.session_no, d.start_ms, d.end_ms
  from day_spans d
  join session_groups m on m.session_no = d.session_no
  join summary_groups g on g.group_no = m.group_no
  join values_of_users v on v.metric_no = d.metric_no and v.user_no = d.user_no and v.dimension = g.dimension
  where v.first_no < v.last_no
),
reaching as (
  select
    s.*,
    max(s.end_ms) over (
      partition by s.metric_no, s.group_no, s.user_no order by s.start_ms, s.end_ms, s.session_no
      rows between unbounded preceding and 1 preceding
    ) as reached_ms
  from shared s
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
select u.metric_no, v.first_no as group_no, u.user_no, u.start_ms, u.end_ms
from user_spans u
join values_of_users v on v.metric_no = u.metric_no and v.user_no = u.user_no
where v.first_no = v.last_no

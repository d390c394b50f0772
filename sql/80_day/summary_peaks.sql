-- summary_peaks: the most users online at once, by group, and the first instant at which they were.
-- Grain: one row per (definition, group with online time).
-- Reads: summary_spans.
-- Rules: contract of daily_summary (peak_users, peak_at: the first instant of the peak).
with changes as (
  select c.metric_no, c.group_no, c.at_ms, cast(sum(c.change) as bigint) as change
  from (
    select s.metric_no, s.group_no, s.start_ms as at_ms, 1 as change from summary_spans s
    union all
    select s.metric_no, s.group_no, s.end_ms as at_ms, -1 as change from summary_spans s
  ) c
  group by c.metric_no, c.group_no, c.at_ms
),
levels as (
  select
    c.metric_no, c.group_no, c.at_ms,
    sum(c.change) over (
      partition by c.metric_no, c.group_no order by c.at_ms rows between unbounded preceding and current row
    ) as online_users
  from changes c
),
ranked as (
  select
    l.metric_no, l.group_no, l.at_ms, l.online_users,
    row_number() over (partition by l.metric_no, l.group_no order by l.online_users desc, l.at_ms) as place
  from levels l
)
select r.metric_no, r.group_no, cast(r.online_users as bigint) as peak_users, r.at_ms as peak_ms
from ranked r
where r.place = 1

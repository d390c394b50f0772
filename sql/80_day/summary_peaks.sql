-- summary_peaks: the most users online at once, by group, and the first instant at which they were.
-- Grain: one row per (definition, group with online time).
-- Reads: summary_spans, day_windows.
-- Rules: contract of daily_summary (peak_users, peak_at: the first instant of the peak). At one instant users go before
--   others come, so that no number of users is passed through that was not there. Of equal peaks the earliest is the
--   greatest of `users times length of the day, plus what is left of the day`. Minute by minute, so that no window holds
--   the whole day of a large group.
with changes as (
  select s.metric_no, s.group_no, s.user_no, s.start_ms as at_ms, 1 as change from summary_spans s
  union all
  select s.metric_no, s.group_no, s.user_no, s.end_ms as at_ms, -1 as change from summary_spans s
),
placed as (
  select
    c.metric_no, c.group_no, c.user_no, c.at_ms, c.change, c.at_ms - (c.at_ms - w.start_ms) % 60000 as minute_ms,
    w.end_ms - c.at_ms as left_ms, w.end_ms - w.start_ms + 1 as day_ms
  from changes c
  cross join day_windows w
),
levels as (
  select
    p.metric_no, p.group_no, p.minute_ms, p.change, p.left_ms, p.day_ms,
    sum(p.change) over (
      partition by p.metric_no, p.group_no, p.minute_ms order by p.at_ms, p.change, p.user_no
      rows between unbounded preceding and current row
    ) as gained
  from placed p
),
minutes_of_groups as (
  select
    l.metric_no, l.group_no, l.minute_ms, l.day_ms, sum(l.change) as change, max(l.gained) as gained,
    max(l.gained * l.day_ms + l.left_ms) as score
  from levels l
  group by l.metric_no, l.group_no, l.minute_ms, l.day_ms
),
based as (
  select
    m.metric_no, m.group_no, m.day_ms, m.gained, m.score,
    coalesce(sum(m.change) over (
      partition by m.metric_no, m.group_no order by m.minute_ms rows between unbounded preceding and 1 preceding
    ), 0) as users_before
  from minutes_of_groups m
)
select
  b.metric_no,
  b.group_no,
  cast(max(b.users_before + b.gained) as bigint) as peak_users,
  cast(w.end_ms - max(b.users_before * b.day_ms + b.score) % (w.end_ms - w.start_ms + 1) as bigint) as peak_ms
from based b
cross join day_windows w
group by b.metric_no, b.group_no, w.start_ms, w.end_ms

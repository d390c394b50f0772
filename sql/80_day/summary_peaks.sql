-- summary_peaks: the most users online at once, by group, and the first instant at which they were.
-- Grain: one row per (definition, group with online time).
-- Reads: summary_spans, day_windows.
-- Rules: contract of daily_summary (peak_users, peak_at: the first instant of the peak). At one instant users go before
--   others come, so that no number of users is passed through that was not there. Of equal peaks the earliest is the
--   greatest of `users times length of the day, plus what is left of the day`.
with changes as (
  select s.metric_no, s.group_no, s.user_no, s.start_ms as at_ms, 1 as change from summary_spans s
  union all
  select s.metric_no, s.group_no, s.user_no, s.end_ms as at_ms, -1 as change from summary_spans s
),
levels as (
  select
    c.metric_no, c.group_no, c.at_ms,
    cast(sum(c.change) over (
      partition by c.metric_no, c.group_no order by c.at_ms, c.change, c.user_no
      rows between unbounded preceding and current row
    ) as bigint) as online_users
  from changes c
)
select
  l.metric_no,
  l.group_no,
  max(l.online_users) as peak_users,
  w.end_ms - max(l.online_users * (w.end_ms - w.start_ms + 1) + w.end_ms - l.at_ms) % (w.end_ms - w.start_ms + 1)
    as peak_ms
from levels l
cross join day_windows w
group by l.metric_no, l.group_no, w.start_ms, w.end_ms

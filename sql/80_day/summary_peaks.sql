-- summary_peaks: the most users online at once, by group, and the first instant at which they were.
-- Grain: one row per (definition, group with online time).
-- Reads: summary_spans, day_windows.
-- Rules: contract of daily_summary (peak_users, peak_at: the first instant of the peak). At one instant users go before
--   others come, so that no number of users is passed through that was not there. Of equal peaks the earliest is the
--   greatest of `users times length of the day, plus what is left of the day`. Minute by minute, so that no window holds
--   the whole day of a large group; and only in minutes in which so many come that the peak may be theirs.
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
minutes_of_groups as (
  select
    p.metric_no, p.group_no, p.minute_ms, sum(p.change) as change, sum(case when p.change > 0 then 1 else 0 end) as come
  from placed p
  group by p.metric_no, p.group_no, p.minute_ms
),
based as (
  select
    m.metric_no, m.group_no, m.minute_ms, m.come,
    sum(m.change) over (
      partition by m.metric_no, m.group_no order by m.minute_ms rows between unbounded preceding and current row
    ) - m.change as users_before
  from minutes_of_groups m
),
reached as (
  select b.metric_no, b.group_no, max(b.users_before) as users
  from based b
  group by b.metric_no, b.group_no
),
candidates as (
  select b.metric_no, b.group_no, b.minute_ms, b.users_before
  from based b
  join reached r on r.metric_no = b.metric_no and r.group_no = b.group_no
  where b.users_before + b.come >= r.users
),
levels as (
  select
    p.metric_no, p.group_no, p.left_ms, p.day_ms,
    c.users_before + sum(p.change) over (
      partition by p.metric_no, p.group_no, p.minute_ms order by p.at_ms, p.change, p.user_no
      rows between unbounded preceding and current row
    ) as users
  from placed p
  join candidates c on c.metric_no = p.metric_no and c.group_no = p.group_no and c.minute_ms = p.minute_ms
)
select
  l.metric_no,
  l.group_no,
  cast(max(l.users) as bigint) as peak_users,
  cast(w.end_ms - max(l.users * l.day_ms + l.left_ms) % (w.end_ms - w.start_ms + 1) as bigint) as peak_ms
from levels l
cross join day_windows w
group by l.metric_no, l.group_no, w.start_ms, w.end_ms

-- minute_online: how many users were online, minute by minute.
-- Grain: one row per (definition, minute of the day, counted from its start). Nulls: the minute's hour has no data.
-- Reads: definitions, minutes (start of each minute, whether its UTC hour is there), user_spans, day_windows, completeness.
-- Rules: R21, R22. What changes at a minute's first instant holds from there on; later in the minute, users who go count
--   before others who come at the same instant, so that no number is passed through that was not there.
with changes as (
  select u.metric_no, u.user_no, u.start_ms as at_ms, 1 as change from user_spans u
  union all
  select u.metric_no, u.user_no, u.end_ms as at_ms, -1 as change from user_spans u
),
placed as (
  select c.metric_no, c.user_no, c.at_ms, c.change, c.at_ms - (c.at_ms - w.start_ms) % 60000 as minute_ms
  from changes c
  cross join day_windows w
),
levels as (
  select
    p.metric_no, p.minute_ms, p.change,
    case when p.at_ms = p.minute_ms then p.change else 0 end as first_change,
    sum(case when p.at_ms > p.minute_ms then p.change else 0 end) over (
      partition by p.metric_no, p.minute_ms order by p.at_ms, p.change, p.user_no
      rows between unbounded preceding and current row
    ) as gained
  from placed p
),
totals as (
  select
    l.metric_no, l.minute_ms, sum(l.change) as change, sum(l.first_change) as first_change,
    greatest(max(l.gained), 0) as gained
  from levels l
  group by l.metric_no, l.minute_ms
),
based as (
  select
    d.metric_no, m.minute_ms, m.is_known, coalesce(t.first_change, 0) as first_change, coalesce(t.gained, 0) as gained,
    coalesce(sum(t.change) over (
      partition by d.metric_no order by m.minute_ms rows between unbounded preceding and 1 preceding
    ), 0) as users_before
  from minutes m
  cross join definitions d
  left join totals t on t.metric_no = d.metric_no and t.minute_ms = m.minute_ms
)
select
  b.metric_no,
  b.minute_ms,
  case when b.is_known then cast(b.users_before + b.first_change as bigint) end as online_users,
  case when b.is_known then cast(b.users_before + b.first_change + b.gained as bigint) end as peak_users,
  c.complete
from based b
cross join completeness c

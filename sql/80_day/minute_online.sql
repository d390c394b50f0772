-- minute_online: how many users were online, minute by minute.
-- Grain: one row per (definition, minute of the day, counted from its start). Nulls: the minute's hour has no data.
-- Reads: definitions, minutes (start of each minute, whether its UTC hour is there), user_spans, completeness.
-- Rules: R21, R22.
with changes as (
  select c.metric_no, c.at_ms, cast(sum(c.change) as bigint) as change, max(c.minute_ms) as minute_ms
  from (
    select u.metric_no, u.start_ms as at_ms, 1 as change, cast(null as bigint) as minute_ms from user_spans u
    union all
    select u.metric_no, u.end_ms as at_ms, -1 as change, cast(null as bigint) as minute_ms from user_spans u
    union all
    select d.metric_no, m.minute_ms as at_ms, 0 as change, m.minute_ms
    from minutes m
    cross join definitions d
  ) c
  group by c.metric_no, c.at_ms
),
levels as (
  select
    c.metric_no, c.at_ms,
    sum(c.change) over (
      partition by c.metric_no order by c.at_ms rows between unbounded preceding and current row
    ) as online_users,
    max(c.minute_ms) over (
      partition by c.metric_no order by c.at_ms rows between unbounded preceding and current row
    ) as minute_ms
  from changes c
),
peaks as (
  select
    l.metric_no, l.minute_ms,
    cast(max(case when l.at_ms = l.minute_ms then l.online_users end) as bigint) as online_users,
    cast(max(l.online_users) as bigint) as peak_users
  from levels l
  group by l.metric_no, l.minute_ms
)
select
  p.metric_no,
  p.minute_ms,
  case when m.is_known then p.online_users end as online_users,
  case when m.is_known then p.peak_users end as peak_users,
  c.complete
from peaks p
join minutes m on m.minute_ms = p.minute_ms
cross join completeness c

-- summary_users: how long users were online, by group: sum and exact percentiles.
-- Grain: one row per (definition, group with online time).
-- Reads: summary_spans.
-- Rules: nearest rank: the smallest of the users' online_ms that at least p percent of them do not exceed. Users are ranked
--   among those of the same number of minutes, so that no window holds all users of a large group.
with users as (
  select s.metric_no, s.group_no, s.user_no, cast(sum(s.end_ms - s.start_ms) as bigint) as online_ms
  from summary_spans s
  group by s.metric_no, s.group_no, s.user_no
),
minutes as (
  select u.metric_no, u.group_no, u.online_ms - u.online_ms % 60000 as minute_ms, count(*) as users
  from users u
  group by u.metric_no, u.group_no, u.online_ms - u.online_ms % 60000
),
below as (
  select
    m.metric_no, m.group_no, m.minute_ms,
    coalesce(sum(m.users) over (
      partition by m.metric_no, m.group_no order by m.minute_ms rows between unbounded preceding and 1 preceding
    ), 0) as users_below,
    sum(m.users) over (partition by m.metric_no, m.group_no) as users
  from minutes m
),
ranked as (
  select
    u.metric_no, u.group_no, u.online_ms, b.users,
    b.users_below + row_number() over (
      partition by u.metric_no, u.group_no, b.minute_ms order by u.online_ms, u.user_no
    ) as place
  from users u
  join below b on b.metric_no = u.metric_no and b.group_no = u.group_no and b.minute_ms = u.online_ms - u.online_ms % 60000
)
select
  r.metric_no,
  r.group_no,
  count(*) as users,
  cast(sum(r.online_ms) as bigint) as online_ms,
  min(case when r.place * 100 >= r.users * 50 then r.online_ms end) as p50_ms,
  min(case when r.place * 100 >= r.users * 90 then r.online_ms end) as p90_ms,
  min(case when r.place * 100 >= r.users * 99 then r.online_ms end) as p99_ms
from ranked r
group by r.metric_no, r.group_no

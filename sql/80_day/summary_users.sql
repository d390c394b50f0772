-- summary_users: how long users were online, by group: sum and exact percentiles.
-- Grain: one row per (definition, group with online time).
-- Reads: summary_spans.
-- Rules: nearest rank: the smallest of the users' online_ms that at least p percent of them do not exceed.
with users as (
  select s.metric_no, s.group_no, s.user_no, cast(sum(s.end_ms - s.start_ms) as bigint) as online_ms
  from summary_spans s
  group by s.metric_no, s.group_no, s.user_no
),
ranked as (
  select
    u.metric_no, u.group_no, u.online_ms,
    row_number() over (partition by u.metric_no, u.group_no order by u.online_ms, u.user_no) as place,
    count(*) over (partition by u.metric_no, u.group_no) as users
  from users u
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

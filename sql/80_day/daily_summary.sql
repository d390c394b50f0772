-- daily_summary: the day in figures, as a whole and by value of each dimension.
-- Grain: one row per (definition, dimension, value with online time); the total always, but on a skipped date.
-- Reads: definitions, summary_groups, session_groups, day_spans, session_attributes, summary_users, summary_peaks,
--   day_windows, completeness.
-- Rules: R21, R22.
with sessions as (
  select
    d.metric_no, g.group_no, count(distinct d.session_no) as sessions, count(distinct a.device_key) as devices,
    cast(sum(d.end_ms - d.start_ms) as bigint) as session_ms
  from day_spans d
  join session_groups g on g.session_no = d.session_no
  join session_attributes a on a.session_no = d.session_no
  group by d.metric_no, g.group_no
)
select
  d.metric_no,
  g.dimension,
  g.value,
  coalesce(u.users, 0) as users,
  coalesce(s.sessions, 0) as sessions,
  coalesce(s.devices, 0) as devices,
  coalesce(u.online_ms, 0) as online_ms,
  coalesce(s.session_ms, 0) as session_ms,
  u.p50_ms,
  u.p90_ms,
  u.p99_ms,
  coalesce(p.peak_users, 0) as peak_users,
  p.peak_ms,
  c.complete
from definitions d
cross join summary_groups g
cross join day_windows w
cross join completeness c
left join sessions s on s.metric_no = d.metric_no and s.group_no = g.group_no
left join summary_users u on u.metric_no = d.metric_no and u.group_no = g.group_no
left join summary_peaks p on p.metric_no = d.metric_no and p.group_no = g.group_no
where w.end_ms > w.start_ms and (g.dimension = 'total' or u.users > 0)

-- C8: one row per key in every table; every row belongs to a definition of the run.
-- Grain: one row per violation.
-- Reads: user_daily, device_daily, session_daily, user_intervals, session_intervals, daily_summary, minute_online,
--   quarantined_sessions, quarantined_events, definitions.
-- Rules: contract of the tables.
with keys as (
  select 'user_daily' as name, u.metric_no, u.user_id as id, '' as detail, cast(0 as bigint) as number from user_daily u
  union all
  select 'device_daily' as name, d.metric_no, d.user_id as id, d.device_id as detail, cast(0 as bigint) as number
  from device_daily d
  union all
  select 'session_daily' as name, s.metric_no, s.session_id as id, '' as detail, cast(0 as bigint) as number
  from session_daily s
  union all
  select 'user_intervals' as name, u.metric_no, u.user_id as id, '' as detail, u.start_ms as number
  from user_intervals u
  union all
  select 'session_intervals' as name, s.metric_no, s.session_id as id, '' as detail, s.start_ms as number
  from session_intervals s
  union all
  select 'daily_summary' as name, m.metric_no, m.dimension as id, m.value as detail, cast(0 as bigint) as number
  from daily_summary m
  union all
  select 'minute_online' as name, m.metric_no, 'minute' as id, '' as detail, m.minute_ms as number
  from minute_online m
  union all
  select 'quarantined_sessions' as name, q.metric_no, q.session_id as id, '' as detail, cast(0 as bigint) as number
  from quarantined_sessions q
  union all
  select 'quarantined_events' as name, cast(null as integer) as metric_no, e.source_file as id, '' as detail,
    e.source_row as number
  from quarantined_events e
)
select concat(k.name, ' ', coalesce(k.id, 'null')) as subject, 'more than one row for its key' as problem
from keys k
group by k.name, k.metric_no, k.id, k.detail, k.number
having count(*) > 1
union all
select concat(k.name, ' ', coalesce(k.id, 'null')) as subject, 'belongs to no definition of the run' as problem
from keys k
left join definitions d on d.metric_no = k.metric_no
where k.metric_no is not null and d.metric_no is null

-- C8: one row per key in every table; every row belongs to a definition of the run.
-- Grain: one row per violation.
-- Reads: user_daily, session_daily, user_intervals, session_intervals, quarantined_sessions, quarantined_events,
--   definitions.
-- Rules: contract of the tables.
with keys as (
  select 'user_daily' as name, u.metric_no, u.user_id as key_text, cast(0 as bigint) as key_number from user_daily u
  union all
  select 'session_daily' as name, s.metric_no, s.session_id as key_text, cast(0 as bigint) as key_number
  from session_daily s
  union all
  select 'user_intervals' as name, u.metric_no, u.user_id as key_text, u.start_ms as key_number from user_intervals u
  union all
  select 'session_intervals' as name, s.metric_no, s.session_id as key_text, s.start_ms as key_number
  from session_intervals s
  union all
  select 'quarantined_sessions' as name, q.metric_no, q.session_id as key_text, cast(0 as bigint) as key_number
  from quarantined_sessions q
  union all
  select 'quarantined_events' as name, cast(null as integer) as metric_no, e.source_file as key_text,
    e.source_row as key_number
  from quarantined_events e
)
select concat(k.name, ' ', k.key_text) as subject, 'more than one row for its key' as problem
from keys k
group by k.name, k.metric_no, k.key_text, k.key_number
having count(*) > 1
union all
select concat(k.name, ' ', k.key_text) as subject, 'belongs to no definition of the run' as problem
from keys k
left join definitions d on d.metric_no = k.metric_no
where k.metric_no is not null and d.metric_no is null

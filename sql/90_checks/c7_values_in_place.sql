-- C7: instants lie in [S, E]; nothing is null that the tables do not allow to be.
-- Grain: one row per violation.
-- Reads: user_daily, device_daily, session_daily, user_intervals, session_intervals, daily_summary, minute_online,
--   quarantined_sessions, quarantined_events, day_windows.
-- Rules: R22.
select concat('user ', coalesce(u.user_id, 'null')) as subject, 'a column is null or leaves the day' as problem
from user_daily u
cross join day_windows w
where u.user_id is null or u.online_ms is null or u.session_ms is null or u.sessions is null or u.devices is null
  or u.intervals is null or coalesce(u.first_online_ms < w.start_ms, true) or coalesce(u.last_online_ms > w.end_ms, true)
union all
select concat('session ', coalesce(s.session_id, 'null')) as subject, 'a column is null or leaves the day' as problem
from session_daily s
cross join day_windows w
where s.session_id is null or s.user_id is null or s.online_ms is null or s.intervals is null
  or coalesce(s.first_online_ms < w.start_ms, true) or coalesce(s.last_online_ms > w.end_ms, true)
  or s.started_ms is null or s.last_event_ms is null or s.ended_ms is null or s.close_reason is null
union all
select concat('user ', coalesce(u.user_id, 'null')) as subject, 'an interval has a null' as problem
from user_intervals u
where u.user_id is null or u.start_ms is null or u.end_ms is null
union all
select concat('session ', coalesce(s.session_id, 'null')) as subject, 'an interval has a null' as problem
from session_intervals s
where s.session_id is null or s.user_id is null or s.start_ms is null or s.end_ms is null
union all
select concat('session ', coalesce(q.session_id, 'null')) as subject, 'a quarantined session has a null' as problem
from quarantined_sessions q
where q.session_id is null or q.user_id is null or q.started_ms is null or q.ended_ms is null or q.online_ms is null
union all
select concat('file ', coalesce(e.source_file, 'null')) as subject, 'a quarantined event has no reason or row' as problem
from quarantined_events e
where e.reason is null or e.source_file is null or e.source_row is null
union all
select concat('user ', coalesce(d.user_id, 'null')) as subject, 'a device has a null or no online time' as problem
from device_daily d
where d.user_id is null or coalesce(d.online_ms <= 0, true) or coalesce(d.session_ms < d.online_ms, true)
  or d.sessions is null
union all
select concat('summary of ', coalesce(m.dimension, 'null')) as subject, 'a column is null or leaves the day' as problem
from daily_summary m
cross join day_windows w
where m.dimension is null or m.users is null or m.sessions is null or m.devices is null or m.online_ms is null
  or m.session_ms is null or m.peak_users is null or m.complete is null
  or (m.users > 0 and (m.p50_ms is null or m.p90_ms is null or m.p99_ms is null
    or coalesce(m.peak_ms < w.start_ms or m.peak_ms > w.end_ms, true)))
union all
select concat('minute ', cast(m.minute_ms as varchar(20))) as subject, 'is half null or leaves the day' as problem
from minute_online m
cross join day_windows w
where coalesce(m.minute_ms < w.start_ms or m.minute_ms > w.end_ms, true) or m.complete is null
  or (m.online_users is null) <> (m.peak_users is null) or m.peak_users < m.online_users

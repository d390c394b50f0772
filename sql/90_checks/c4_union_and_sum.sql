-- C4: online_ms <= session_ms, and online_ms >= the longest of the user's sessions.
-- Grain: one row per violation.
-- Reads: user_daily, session_daily.
-- Rules: R21.
with longest as (
  select s.metric_no, s.user_id, max(s.online_ms) as longest_ms
  from session_daily s
  group by s.metric_no, s.user_id
)
select
  concat('user ', u.user_id) as subject,
  concat(
    'online_ms ', cast(u.online_ms as varchar(20)), ', session_ms ', cast(u.session_ms as varchar(20)),
    ', longest session ', cast(coalesce(l.longest_ms, 0) as varchar(20))
  ) as problem
from user_daily u
left join longest l on l.metric_no = u.metric_no and l.user_id = u.user_id
where u.online_ms > u.session_ms or l.longest_ms is null or u.online_ms < l.longest_ms

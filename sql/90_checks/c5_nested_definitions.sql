-- C5: for each session active <= foreground <= connected, where the run has such definitions that differ in nothing
--   else, and the session is quarantined under none.
-- Grain: one row per violation.
-- Reads: nested_definitions (inner_no, outer_no), session_daily, quarantined_sessions.
-- Rules: R16 (active within foreground), R18 (online within connected).
select
  concat('session ', i.session_id) as subject,
  concat(
    cast(i.online_ms as varchar(20)), ' ms under the narrower definition, ',
    cast(coalesce(o.online_ms, 0) as varchar(20)), ' ms under the wider one'
  ) as problem
from nested_definitions n
join session_daily i on i.metric_no = n.inner_no
left join session_daily o on o.metric_no = n.outer_no and o.session_id = i.session_id
left join quarantined_sessions q on q.metric_no = n.outer_no and q.session_id = i.session_id
where i.online_ms > coalesce(o.online_ms, 0) and q.session_id is null

-- login_time: each user's time from the first to the last event of sessions, whatever lies between.
-- Grain: one row per (definition, user with such time in the day). `sessions`: those that lie in the day.
-- Reads: session_ends, session_attributes, day_windows.
-- Rules: R14 to R19 left out; R21 (union), R22.
with logins as (
  select
    e.metric_no, a.user_no, a.user_id, e.session_no,
    greatest(e.started_ms, w.start_ms) as start_ms, least(e.last_event_ms, w.end_ms) as end_ms
  from session_ends e
  join session_attributes a on a.session_no = e.session_no
  cross join day_windows w
  where e.started_ms < w.end_ms and e.last_event_ms > w.start_ms
),
reaching as (
  select
    l.*,
    max(l.end_ms) over (
      partition by l.user_no, l.metric_no order by l.start_ms, l.end_ms, l.session_no
      rows between unbounded preceding and 1 preceding
    ) as reached_ms
  from logins l
)
select
  r.metric_no,
  r.user_id,
  count(*) as sessions,
  cast(sum(greatest(r.end_ms - greatest(r.start_ms, coalesce(r.reached_ms, r.start_ms)), 0)) as bigint) as online_ms
from reaching r
group by r.metric_no, r.user_id

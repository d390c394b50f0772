-- user_period: each user's days of a period together.
-- Grain: one row per user with online time in the period.
-- Reads: period_days (rows of user_daily with their day), period_sessions (sessions of session_daily with their day).
-- Rules: R21 and R22 day by day; a session that lies in several days is one session. Of equally long days the first.
with ranked as (
  select
    d.user_id, d.day, d.online_ms, d.session_ms, d.first_online_ms, d.last_online_ms,
    row_number() over (partition by d.user_id order by d.online_ms desc, d.day) as place
  from period_days d
),
days as (
  select
    r.user_id,
    cast(sum(r.online_ms) as bigint) as online_ms,
    cast(sum(r.session_ms) as bigint) as session_ms,
    count(*) as active_days,
    min(case when r.place = 1 then r.day end) as longest_day,
    max(r.online_ms) as longest_day_ms,
    min(r.first_online_ms) as first_online_ms,
    max(r.last_online_ms) as last_online_ms
  from ranked r
  group by r.user_id
),
sessions as (
  select s.user_id, count(distinct s.session_id) as sessions
  from period_sessions s
  group by s.user_id
)
select
  d.user_id,
  d.online_ms,
  d.session_ms,
  coalesce(s.sessions, 0) as sessions,
  d.active_days,
  d.longest_day,
  d.longest_day_ms,
  d.first_online_ms,
  d.last_online_ms
from days d
left join sessions s on s.user_id = d.user_id

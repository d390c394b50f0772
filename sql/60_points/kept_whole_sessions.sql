-- kept_whole_sessions: sessions of users who may have been on several devices, where a definition counts the latest.
-- Grain: one row per session whose every event may cut another device's time.
-- Reads: identities, definitions.
-- Rules: R20 (a session without a device is a device of its own).
with users as (
  select i.user_no
  from identities i
  cross join (select max(case when d.latest_device then 1 else 0 end) as is_latest from definitions d) l
  where l.is_latest = 1
  group by i.user_no
  having count(distinct i.session_no) > 1
    and (count(distinct i.device_no) > 1 or max(case when i.device_no is null then 1 else 0 end) = 1)
)
select distinct i.session_no
from identities i
join users u on u.user_no = i.user_no

-- claimed_sessions: sessions whose events name several users or several devices.
-- Grain: one row per session; in every other one R8 has nothing to reject.
-- Reads: identities.
-- Rules: R8.
select i.session_no
from identities i
group by i.session_no
having count(distinct i.user_no) > 1 or count(distinct i.device_no) > 1

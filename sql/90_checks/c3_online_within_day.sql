-- C3: 0 < online_ms <= E - S for every user.
-- Grain: one row per violation.
-- Reads: user_daily, day_windows.
-- Rules: R21, R22.
select concat('user ', u.user_id) as subject, concat('online_ms is ', cast(u.online_ms as varchar(20))) as problem
from user_daily u
cross join day_windows w
where u.online_ms <= 0 or u.online_ms > w.end_ms - w.start_ms

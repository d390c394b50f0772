-- owned_readings: how many rows the day owns, and how many of their optional values cannot be read.
-- Grain: one row.
-- Reads: readings_seen, day_windows.
-- Rules: R2, R4.
select
  count(*) as owned,
  cast(coalesce(sum(r.unread_options % 2), 0) as bigint) as unread_client_time,
  count(case when r.unread_options % 4 >= 2 then 1 end) as unread_last_active_at,
  count(case when r.unread_options % 8 >= 4 then 1 end) as unread_foreground,
  count(case when r.unread_options % 16 >= 8 then 1 end) as unread_active
from readings_seen r
cross join day_windows w
where r.time_ms >= w.start_ms and r.time_ms < w.end_ms

-- owned_verdicts: the rejected events that belong to the day.
-- Grain: one row per quarantined event.
-- Reads: event_verdicts, day_windows.
-- Rules: R2 (only the day that an event's time falls in writes it to quarantine).
select v.event_no, v.reason, v.detail
from event_verdicts v
cross join day_windows w
where v.time_ms >= w.start_ms and v.time_ms < w.end_ms

-- owned_verdicts: the rejected events that belong to the day.
-- Grain: one row per quarantined event.
-- Reads: event_verdicts, readings_seen (every row of the read window: event_no, time_ms), day_windows.
-- Rules: R2 (only the day that an event's time falls in writes it to quarantine).
select v.event_no, v.reason, v.detail
from event_verdicts v
join readings_seen r on r.event_no = v.event_no
cross join day_windows w
where r.time_ms >= w.start_ms and r.time_ms < w.end_ms

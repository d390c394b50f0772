-- event_counts: what became of the day's events.
-- Grain: one row. `reordered`: owned events whose time R11 moved; `unread_...`: optional values that count as null.
-- Reads: owned_readings, accepted_events, timeouts, owned_verdicts, moved_events, day_windows.
-- Rules: R2 (owned = accepted + quarantined, each counted on its own way), R4, R11.
with accepted_clients as (
  select count(*) as events
  from accepted_events e
  cross join day_windows w
  where e.server_ms >= w.start_ms and e.server_ms < w.end_ms
),
accepted_timeouts as (
  select count(*) as events
  from timeouts t
  cross join day_windows w
  where t.verdict <> 'stale' and t.server_ms >= w.start_ms and t.server_ms < w.end_ms
),
quarantined as (select count(*) as events from owned_verdicts),
reordered as (
  select count(*) as events
  from moved_events m
  cross join day_windows w
  where m.server_ms >= w.start_ms and m.server_ms < w.end_ms
)
select
  o.owned,
  c.events + t.events as accepted,
  q.events as quarantined,
  m.events as reordered,
  o.unread_client_time,
  o.unread_last_active_at,
  o.unread_foreground,
  o.unread_active
from owned_readings o
cross join accepted_clients c
cross join accepted_timeouts t
cross join quarantined q
cross join reordered m

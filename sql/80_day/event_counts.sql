-- event_counts: what became of the day's events.
-- Grain: one row. `reordered`: owned events whose time R11 moved; `unread_...`: optional values that count as null.
-- Reads: readings_seen, accepted_events, timeouts, owned_verdicts, ordered_events, claimed_events, moved_events,
--   day_windows.
-- Rules: R2 (owned = accepted + quarantined, each counted on its own way), R4, R11.
with owned as (
  select
    count(*) as owned,
    cast(coalesce(sum(r.unread_options % 2), 0) as bigint) as unread_client_time,
    count(case when r.unread_options % 4 >= 2 then 1 end) as unread_last_active_at,
    count(case when r.unread_options % 8 >= 4 then 1 end) as unread_foreground,
    count(case when r.unread_options % 16 >= 8 then 1 end) as unread_active
  from readings_seen r
  cross join day_windows w
  where r.time_ms >= w.start_ms and r.time_ms < w.end_ms
),
accepted_clients as (
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
  from (
    select c.server_ms
    from ordered_events o
    join claimed_events c on c.event_no = o.event_no
    where o.tau_ms < c.server_ms
    union all
    select m.server_ms from moved_events m
  ) r
  cross join day_windows w
  where r.server_ms >= w.start_ms and r.server_ms < w.end_ms
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
from owned o
cross join accepted_clients c
cross join accepted_timeouts t
cross join quarantined q
cross join reordered m

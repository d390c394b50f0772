-- fences: from when on a newer connection has taken over an epoch.
-- Grain: one row per (session, epoch) that has a higher epoch with client events.
-- Reads: claimed_events, clean_events.
-- Rules: R9 (fence(k) = smallest server_time among client events of an epoch above k).
with epochs as (
  select e.session_no, e.epoch,
    min(case when e.event_type <> 'SERVER_TIMEOUT' then e.server_ms end) as client_start_ms
  from (
    select c.session_no, c.epoch, c.server_ms, c.event_type from claimed_events c
    union all
    select c.session_no, c.epoch, c.server_ms, c.event_type from clean_events c
  ) e
  group by e.session_no, e.epoch
),
fenced as (
  select
    p.session_no, p.epoch,
    min(p.client_start_ms) over (
      partition by p.session_no order by p.epoch desc rows between unbounded preceding and 1 preceding
    ) as fence_ms
  from epochs p
)
select f.session_no, f.epoch, f.fence_ms
from fenced f
where f.fence_ms is not null

-- fences: from when on a newer connection has taken over an epoch.
-- Grain: one row per (session, epoch), be it of SERVER_TIMEOUTs alone, that has a higher epoch with client events.
-- Reads: claimed_events, epochs, suspect_sessions.
-- Rules: R9 (fence(k) = smallest server_time among client events of an epoch above k).
with starts as (
  select c.session_no, c.epoch, min(case when c.event_type <> 'SERVER_TIMEOUT' then c.server_ms end) as start_ms
  from claimed_events c
  group by c.session_no, c.epoch
  union all
  select p.session_no, p.epoch, p.start_ms
  from epochs p
  anti join suspect_sessions s on s.session_no = p.session_no
),
fenced as (
  select
    p.session_no, p.epoch,
    min(p.start_ms) over (
      partition by p.session_no order by p.epoch desc rows between unbounded preceding and 1 preceding
    ) as fence_ms
  from starts p
)
select f.session_no, f.epoch, f.fence_ms
from fenced f
where f.fence_ms is not null

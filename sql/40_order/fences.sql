-- fences: from when on a newer connection has taken over an epoch.
-- Grain: one row per (session, epoch), be it of SERVER_TIMEOUTs alone, that has a higher epoch with client events.
-- Reads: epochs.
-- Rules: R9 (fence(k) = smallest server_time among client events of an epoch above k).
with fenced as (
  select
    p.session_no, p.epoch, p.last_ms,
    min(p.start_ms) over (
      partition by p.session_no order by p.epoch desc rows between unbounded preceding and 1 preceding
    ) as fence_ms
  from epochs p
)
select f.session_no, f.epoch, f.fence_ms, f.last_ms >= f.fence_ms as is_crossed
from fenced f
where f.fence_ms is not null

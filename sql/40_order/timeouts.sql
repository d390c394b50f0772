-- timeouts: what each SERVER_TIMEOUT is worth.
-- Grain: one row per SERVER_TIMEOUT that R9 leaves. `verdict`: valid, stale, or none (no client event before it).
-- Reads: claimed_events, clean_events, stale_events, settings.
-- Rules: R10 (placed by arrival; L is the latest client event of its epoch that arrived at or before it).
with heard as (
  select e.event_no, e.session_no, e.epoch, e.server_ms, e.event_type
  from (
    select c.event_no, c.session_no, c.epoch, c.server_ms, c.event_type from claimed_events c
    union all
    select c.event_no, c.session_no, c.epoch, c.server_ms, c.event_type from clean_events c
  ) e
  where not exists (select 1 from stale_events x where x.event_no = e.event_no)
),
timed as (
  select distinct h.session_no, h.epoch
  from heard h
  where h.event_type = 'SERVER_TIMEOUT'
),
placed as (
  select
    h.event_no, h.session_no, h.epoch, h.server_ms, h.event_type,
    max(case when h.event_type <> 'SERVER_TIMEOUT' then h.server_ms end) over (
      partition by h.session_no, h.epoch
      order by h.server_ms, case when h.event_type = 'SERVER_TIMEOUT' then 1 else 0 end, h.event_no
      rows between unbounded preceding and current row
    ) as last_heard_ms
  from heard h
  join timed t on t.session_no = h.session_no and t.epoch = h.epoch
)
select
  p.event_no,
  p.session_no,
  p.epoch,
  p.server_ms,
  case
    when p.last_heard_ms is null then 'none'
    when p.server_ms - p.last_heard_ms < s.server_timeout_ms then 'stale'
    else 'valid'
  end as verdict
from placed p
cross join settings s
where p.event_type = 'SERVER_TIMEOUT'

-- timeouts: what each SERVER_TIMEOUT is worth.
-- Grain: one row per SERVER_TIMEOUT that R9 leaves. `verdict`: valid, stale, or none (no client event before it).
-- Reads: current_events, epochs, settings.
-- Rules: R10 (placed by arrival; L is the latest client event of its epoch that arrived at or before it). After the last
--   client event of an epoch that is L; any other one looks at its neighbours. Where R9 has taken that last event, it came at
--   the fence or later, and so after every timeout that R9 has left.
with asked as (
  select
    c.event_no, c.session_no, c.epoch, c.server_ms, p.end_ms,
    c.server_ms < p.end_ms as is_between
  from current_events c
  join epochs p on p.session_no = c.session_no and p.epoch = c.epoch
  where c.event_type = 'SERVER_TIMEOUT'
),
between_events as (
  select distinct a.session_no, a.epoch
  from asked a
  where a.is_between
),
heard as (
  select c.session_no, c.epoch, c.server_ms, c.event_no, case when c.event_type = 'SERVER_TIMEOUT' then 1 else 0 end
    as is_timeout
  from current_events c
  semi join between_events b on b.session_no = c.session_no and b.epoch = c.epoch
),
placed as (
  select h.event_no, h.is_timeout, max(case when h.is_timeout = 0 then h.server_ms end) over (
      partition by h.session_no, h.epoch order by h.server_ms, h.is_timeout, h.event_no
      rows between unbounded preceding and current row
    ) as last_heard_ms
  from heard h
),
dated as (
  select a.event_no, a.session_no, a.epoch, a.server_ms,
    case when a.is_between then p.last_heard_ms else a.end_ms end as last_heard_ms
  from asked a
  left join placed p on p.event_no = a.event_no and p.is_timeout = 1
)
select
  d.event_no, d.session_no, d.epoch, d.server_ms,
  case
    when d.last_heard_ms is null then 'none'
    when d.server_ms - d.last_heard_ms < s.server_timeout_ms then 'stale'
    else 'valid'
  end as verdict
from dated d
cross join settings s

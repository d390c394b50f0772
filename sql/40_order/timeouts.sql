-- timeouts: what each SERVER_TIMEOUT is worth.
-- Grain: one row per SERVER_TIMEOUT that R9 leaves. `verdict`: valid, stale, or none (no client event before it).
-- Reads: claimed_events, clean_events, stale_events, epochs, settings.
-- Rules: R10 (placed by arrival; L is the latest client event of its epoch that arrived at or before it).
with asked as (
  select c.event_no, c.session_no, c.epoch, c.server_ms, cast(null as bigint) as heard_until_ms
  from claimed_events c
  where c.event_type = 'SERVER_TIMEOUT'
  union all
  select c.event_no, c.session_no, c.epoch, c.server_ms, p.end_ms as heard_until_ms
  from clean_events c
  left join epochs p on p.session_no = c.session_no and p.epoch = c.epoch
  where c.event_type = 'SERVER_TIMEOUT'
),
left_over as (
  select a.*
  from asked a
  anti join stale_events x on x.event_no = a.event_no
),
in_between as (
  select distinct o.session_no, o.epoch
  from left_over o
  where o.heard_until_ms is null or o.server_ms < o.heard_until_ms
),
heard as (
  select c.session_no, c.epoch, c.server_ms, 0 as is_timeout, c.event_no
  from claimed_events c
  join in_between b on b.session_no = c.session_no and b.epoch = c.epoch
  anti join stale_events x on x.event_no = c.event_no
  where c.event_type <> 'SERVER_TIMEOUT'
  union all
  select c.session_no, c.epoch, c.server_ms, 0 as is_timeout, c.event_no
  from clean_events c
  join in_between b on b.session_no = c.session_no and b.epoch = c.epoch
  where c.event_type <> 'SERVER_TIMEOUT'
  union all
  select o.session_no, o.epoch, o.server_ms, 1 as is_timeout, o.event_no
  from left_over o
  join in_between b on b.session_no = o.session_no and b.epoch = o.epoch
),
placed as (
  select h.event_no, h.is_timeout, max(case when h.is_timeout = 0 then h.server_ms end) over (
      partition by h.session_no, h.epoch order by h.server_ms, h.is_timeout, h.event_no
      rows between unbounded preceding and current row
    ) as last_heard_ms
  from heard h
),
dated as (
  select o.event_no, o.session_no, o.epoch, o.server_ms,
    case when o.server_ms >= o.heard_until_ms then o.heard_until_ms else p.last_heard_ms end as last_heard_ms
  from left_over o
  left join placed p on p.event_no = o.event_no and p.is_timeout = 1
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

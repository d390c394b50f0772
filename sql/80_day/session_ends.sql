-- session_ends: how each session began and ended, as the read window shows it.
-- Grain: one row per (definition, session with accepted client events).
-- Reads: points, definitions, timeouts, day_windows.
-- Rules: contract of session_daily (started_at, last_event_at, ended_at, close_reason of the highest epoch).
with ranked as (
  select
    p.timing_no, p.session_no, p.epoch, p.event_type, p.server_ms, p.tau_ms, p.fence_ms,
    min(p.tau_ms) over (partition by p.session_no, p.timing_no) as started_ms,
    row_number() over (partition by p.session_no, p.timing_no order by p.point_no desc) as place
  from points p
),
timed_out as (
  select t.session_no, t.epoch, max(t.server_ms) as timeout_ms
  from timeouts t
  where t.verdict = 'valid'
  group by t.session_no, t.epoch
)
select
  d.metric_no,
  r.session_no,
  r.started_ms,
  r.tau_ms as last_event_ms,
  case when r.event_type in ('SESSION_CLOSE', 'LOGOUT') then r.tau_ms
    else least(r.tau_ms + d.tail_ms, coalesce(r.fence_ms, 9223372036854775807)) end as ended_ms,
  case
    when r.event_type in ('SESSION_CLOSE', 'LOGOUT') then cast(r.event_type as varchar(64))
    when t.timeout_ms >= r.server_ms then 'SERVER_TIMEOUT'
    when w.window_end_ms - r.tau_ms <= d.gap_max_ms then 'OPEN'
    else 'TIMEOUT'
  end as close_reason
from ranked r
join definitions d on d.timing_no = r.timing_no
cross join day_windows w
left join timed_out t on t.session_no = r.session_no and t.epoch = r.epoch
where r.place = 1

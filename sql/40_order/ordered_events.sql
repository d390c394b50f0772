-- ordered_events: the client events of suspect epochs in order, with their effective time and verdict.
-- Grain: one row per event of a suspect epoch. `reason` null: accepted. `tau_ms` null: no part in the order.
-- Reads: suspect_events, delays, timeouts, settings.
-- Rules: R10 (EVENT_AFTER_CLOSE after a valid timeout, where timeouts close), R11 (SEQUENCE_JUMP, LATE_EVENT, tau),
--   R12 (EVENT_AFTER_CLOSE). Order of arrival: server_time, then sequence. Where an epoch's events are only late, their delays
--   tell everything.
with closings as (
  select t.session_no, t.epoch, min(t.server_ms) as closed_ms
  from timeouts t cross join settings s
  where t.verdict = 'valid' and s.timeout_closes
  group by t.session_no, t.epoch
),
heard as (
  select c.event_no, c.session_no, c.epoch, c.sequence, c.server_ms, c.event_type,
    coalesce(c.server_ms > k.closed_ms, false) as after_timeout
  from suspect_events c
  left join closings k on k.session_no = c.session_no and k.epoch = c.epoch
  where not c.only_late
),
arrivals as (
  select h.*, lead(h.sequence) over (
      partition by h.session_no, h.epoch, h.after_timeout order by h.server_ms, h.sequence
    ) as next_sequence
  from heard h
),
counted as (
  select a.*, not a.after_timeout and coalesce(a.sequence - a.next_sequence > s.max_sequence_jump, false) as jumped
  from arrivals a cross join settings s
),
closers as (
  select c.*, not c.after_timeout and not c.jumped and c.event_type in ('SESSION_CLOSE', 'LOGOUT')
      and coalesce(c.sequence < min(c.sequence) over (
        partition by c.session_no, c.epoch, c.after_timeout, c.jumped order by c.server_ms, c.sequence
        rows between unbounded preceding and 1 preceding
      ), false) as lost_counter
  from counted c
),
effective as (
  select c.*, min(c.server_ms) over (
      partition by c.session_no, c.epoch, c.after_timeout, c.jumped, c.lost_counter order by c.sequence desc
      rows between unbounded preceding and current row
    ) as tau_ms
  from closers c
),
judged as (
  select e.event_no, e.session_no, e.epoch, e.sequence, e.server_ms, e.event_type, e.tau_ms,
    case
      when e.after_timeout then 'EVENT_AFTER_CLOSE'
      when e.jumped then 'SEQUENCE_JUMP'
      when e.lost_counter or e.server_ms - e.tau_ms > s.allowed_lateness_ms then 'LATE_EVENT'
    end as reason,
    case when e.after_timeout then 'SERVER_TIMEOUT' when e.lost_counter then 'closer' end as detail
  from effective e
  cross join settings s
),
closed as (
  select j.session_no, j.epoch, j.sequence, j.event_type, row_number() over (
      partition by j.session_no, j.epoch order by j.sequence
    ) as place
  from judged j
  where j.reason is null and j.event_type in ('SESSION_CLOSE', 'LOGOUT')
)
select
  j.event_no, j.server_ms,
  coalesce(j.reason, case when j.sequence > k.sequence then 'EVENT_AFTER_CLOSE' end) as reason,
  coalesce(j.detail, case when j.reason is null and j.sequence > k.sequence then k.event_type end) as detail,
  case when j.reason is null then j.tau_ms end as tau_ms
from judged j
left join closed k on k.session_no = j.session_no and k.epoch = j.epoch and k.place = 1
union all
select
  e.event_no, e.server_ms,
  case when e.server_ms - d.tau_ms > s.allowed_lateness_ms then 'LATE_EVENT' end as reason,
  cast(null as varchar(64)) as detail,
  case when d.tau_ms is null then e.server_ms when e.server_ms - d.tau_ms <= s.allowed_lateness_ms then d.tau_ms end
    as tau_ms
from suspect_events e
left join delays d on d.event_no = e.event_no
cross join settings s
where e.only_late

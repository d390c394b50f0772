-- device_cuts: when another device of the user was heard after a turning point.
-- Grain: one row per turning point of a kept whole session that another device follows.
-- Reads: points, kept_whole_sessions, session_attributes.
-- Rules: R20 (order: tau, session_id, session_epoch, sequence; closers cut nobody and give no time to cut).
with heard as (
  select
    p.timing_no, p.session_no, p.point_no, p.epoch, p.sequence, p.tau_ms, a.user_no, a.session_id, a.device_key,
    lag(a.device_key) over (
      partition by p.timing_no, a.user_no order by p.tau_ms, a.session_id, p.epoch, p.sequence
    ) as previous_device_key
  from points p
  join session_attributes a on a.session_no = p.session_no
  semi join kept_whole_sessions w on w.session_no = p.session_no
  where p.event_type not in ('SESSION_CLOSE', 'LOGOUT')
),
cut as (
  select
    h.timing_no, h.session_no, h.point_no,
    min(case when h.device_key <> h.previous_device_key then h.tau_ms end) over (
      partition by h.timing_no, h.user_no order by h.tau_ms desc, h.session_id desc, h.epoch desc, h.sequence desc
      rows between unbounded preceding and 1 preceding
    ) as cut_ms
  from heard h
)
select c.timing_no, c.session_no, c.point_no, c.cut_ms
from cut c
where c.cut_ms is not null

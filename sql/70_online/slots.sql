-- slots: connected time from each turning point on, with the states that it carries.
-- Grain: one row per (definition, turning point) that earns time. `cut_ms`: where another device takes over (R20),
--   else `end_ms`. `mask`: 1 foreground, 4, 8, ... own states.
-- Reads: points, definitions, settings, own_states, device_cuts.
-- Rules: R14 (gap, credit, tail, closer, fence), R15, R17, R20.
with earned as (
  select
    d.metric_no, p.timing_no, p.session_no, p.point_no, p.tau_ms as start_ms,
    case
      when p.next_tau_ms is null or p.next_tau_ms - p.tau_ms > s.lookahead_ms then least(
        p.tau_ms + case when p.event_type in ('SESSION_CLOSE', 'LOGOUT') then 0 else d.tail_ms end,
        coalesce(p.next_tau_ms, 9223372036854775807),
        coalesce(p.fence_ms, 9223372036854775807)
      )
      when p.next_tau_ms - p.tau_ms <= d.gap_max_ms then p.next_point_ms
      else p.tau_ms + d.gap_credit_ms
    end as end_ms,
    case when d.foreground_at_start then p.foreground_if_started else p.foreground_if_told end as foreground,
    d.latest_device
  from points p
  join definitions d on d.timing_no = p.timing_no
  cross join settings s
)
select
  e.metric_no,
  e.session_no,
  e.start_ms,
  e.end_ms,
  case when e.latest_device then least(e.end_ms, coalesce(c.cut_ms, e.end_ms)) else e.end_ms end as cut_ms,
  case when e.foreground then 1 else 0 end + coalesce(o.mask, 0) as mask
from earned e
left join own_states o on o.metric_no = e.metric_no and o.session_no = e.session_no and o.point_no = e.point_no
left join device_cuts c on c.timing_no = e.timing_no and c.session_no = e.session_no and c.point_no = e.point_no
where e.end_ms > e.start_ms

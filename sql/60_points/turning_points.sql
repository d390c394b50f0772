-- turning_points: the events at which something may change under some definition of the timing; all others repeat
--   their predecessor, so that leaving them out changes no slot and no state (sql/README.md, "Turning points").
-- Grain: one row per (timing, kept event). `next_tau_ms`: the next event of the epoch, kept or not.
-- Reads: signals, point_bounds, state_events, kept_whole_sessions.
-- Rules: R14, R15 (which neighbours matter).
with neighbours as (
  select
    g.*,
    lag(g.epoch) over (partition by g.session_no, g.timing_no order by g.epoch, g.sequence) as previous_epoch,
    lag(g.tau_ms) over (partition by g.session_no, g.timing_no order by g.epoch, g.sequence) as previous_tau_ms,
    lag(g.identity_no) over (partition by g.session_no, g.timing_no order by g.epoch, g.sequence)
      as previous_identity_no,
    lag(g.sets_foreground) over (partition by g.session_no, g.timing_no order by g.epoch, g.sequence)
      as previous_sets,
    lead(g.epoch) over (partition by g.session_no, g.timing_no order by g.epoch, g.sequence) as following_epoch,
    lead(g.tau_ms) over (partition by g.session_no, g.timing_no order by g.epoch, g.sequence) as following_tau_ms
  from (
    select
      s.timing_no, s.session_no, s.epoch, s.sequence, s.event_no, s.identity_no, s.event_type, s.server_ms, s.tau_ms,
      s.sets_foreground
    from signals s
  ) g
)
select
  n.timing_no,
  n.session_no,
  n.epoch,
  n.sequence,
  n.event_no,
  n.identity_no,
  n.event_type,
  n.server_ms,
  n.tau_ms,
  case when n.following_epoch = n.epoch then n.following_tau_ms end as next_tau_ms,
  n.previous_identity_no is null or n.previous_identity_no <> n.identity_no as new_identity,
  n.sets_foreground
from neighbours n
join point_bounds b on b.timing_no = n.timing_no
left join (select distinct s.event_no from state_events s) x on x.event_no = n.event_no
left join kept_whole_sessions w on w.session_no = n.session_no
where n.previous_epoch is null
  or n.previous_epoch <> n.epoch
  or n.following_epoch is null
  or n.following_epoch <> n.epoch
  or n.following_tau_ms - n.tau_ms > b.gap_max_ms
  or n.tau_ms - n.previous_tau_ms > b.gap_max_ms
  or n.identity_no <> n.previous_identity_no
  or n.event_type = 'SESSION_START'
  or (n.sets_foreground is not null and (n.previous_sets is null or n.previous_sets <> n.sets_foreground))
  or x.event_no is not null
  or w.session_no is not null

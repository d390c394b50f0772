-- turning_points: the events at which something may change under some definition of the timing; all others repeat
--   their predecessor, so that leaving them out changes no slot and no state (sql/README.md, "Turning points").
-- Grain: one row per (timing, kept event). `next_tau_ms`: the next event of the epoch, kept or not.
-- Reads: neighbours, point_bounds, state_events, kept_whole_sessions, landmarks, suspect_epochs, moved_events.
-- Rules: R14, R15.
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
  n.next_tau_ms,
  n.previous_identity_no is null or n.previous_identity_no <> n.identity_no as new_identity,
  n.sets_foreground
from neighbours n
join point_bounds b on b.timing_no = n.timing_no
left join (select distinct s.event_no from state_events s) x on x.event_no = n.event_no
left join kept_whole_sessions w on w.session_no = n.session_no
where n.previous_tau_ms is null
  or n.next_tau_ms is null
  or n.next_tau_ms - n.tau_ms > b.gap_max_ms
  or n.tau_ms - n.previous_tau_ms > b.gap_max_ms
  or n.identity_no <> n.previous_identity_no
  or n.event_type = 'SESSION_START'
  or (n.sets_foreground is not null and (n.previous_sets is null or n.previous_sets <> n.sets_foreground))
  or x.event_no is not null
  or w.session_no is not null
union all
select
  b.timing_no,
  l.session_no,
  l.epoch,
  l.sequence,
  l.event_no,
  l.identity_no,
  l.event_type,
  l.server_ms,
  coalesce(m.tau_ms, l.server_ms) as tau_ms,
  coalesce(n.tau_ms, l.next_ms) as next_tau_ms,
  l.new_identity,
  l.sets_foreground
from landmarks l
cross join point_bounds b
left join moved_events m on m.event_no = l.event_no
left join moved_events n on n.event_no = l.next_event_no
anti join suspect_epochs s on s.session_no = l.session_no and s.epoch = l.epoch
where b.by_landmarks

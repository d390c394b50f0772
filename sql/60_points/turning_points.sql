-- turning_points: the events at which something may change under some definition of the timing; all others repeat
--   their predecessor, so that leaving them out changes no slot, state or interaction (sql/README.md, "Turning points").
-- Grain: one row per (timing, kept event). `next_tau_ms`: the next event of the epoch, kept or not.
--   `told_on`: the interaction lasts at least until the next kept event's.
-- Reads: signals, point_bounds, state_events, kept_whole_sessions.
-- Rules: R14, R15, R16 (which neighbours matter).
with neighbours as (
  select
    g.*,
    lag(g.epoch) over (partition by g.timing_no, g.session_no order by g.epoch, g.sequence) as previous_epoch,
    lag(g.tau_ms) over (partition by g.timing_no, g.session_no order by g.epoch, g.sequence) as previous_tau_ms,
    lag(g.tau_ms, 2) over (partition by g.timing_no, g.session_no order by g.epoch, g.sequence) as before_tau_ms,
    lag(g.told_ms) over (partition by g.timing_no, g.session_no order by g.epoch, g.sequence) as previous_told_ms,
    lag(g.event_type) over (partition by g.timing_no, g.session_no order by g.epoch, g.sequence) as previous_type,
    lag(g.identity_no) over (partition by g.timing_no, g.session_no order by g.epoch, g.sequence)
      as previous_identity_no,
    lag(g.sets_foreground) over (partition by g.timing_no, g.session_no order by g.epoch, g.sequence)
      as previous_sets,
    lead(g.epoch) over (partition by g.timing_no, g.session_no order by g.epoch, g.sequence) as following_epoch,
    lead(g.tau_ms) over (partition by g.timing_no, g.session_no order by g.epoch, g.sequence) as following_tau_ms,
    lead(g.told_ms) over (partition by g.timing_no, g.session_no order by g.epoch, g.sequence) as following_told_ms,
    lead(g.event_type) over (partition by g.timing_no, g.session_no order by g.epoch, g.sequence) as following_type
  from signals g
),
linked as (
  select
    n.*, b.gap_max_ms, b.idle_ms,
    coalesce(n.told_ms > n.previous_tau_ms, true) and n.event_type <> 'USER_IDLE'
      and n.following_told_ms > n.tau_ms and n.following_type <> 'USER_IDLE'
      and n.following_told_ms - n.told_ms <= b.idle_ms as links_on,
    coalesce(n.previous_told_ms > n.before_tau_ms, true) and n.previous_type <> 'USER_IDLE'
      and n.told_ms > n.previous_tau_ms and n.event_type <> 'USER_IDLE'
      and n.told_ms - n.previous_told_ms <= b.idle_ms as linked_from
  from neighbours n
  join point_bounds b on b.timing_no = n.timing_no
)
select
  l.timing_no,
  l.session_no,
  l.epoch,
  l.sequence,
  l.event_no,
  l.identity_no,
  l.event_type,
  l.server_ms,
  l.tau_ms,
  case when l.following_epoch = l.epoch then l.following_tau_ms end as next_tau_ms,
  l.previous_identity_no is null or l.previous_identity_no <> l.identity_no as new_identity,
  l.sets_foreground,
  case when l.idle_ms is not null then l.told_ms end as told_ms,
  coalesce(l.links_on, false) as told_on
from linked l
where l.previous_epoch is null
  or l.previous_epoch <> l.epoch
  or l.following_epoch is null
  or l.following_epoch <> l.epoch
  or l.following_tau_ms - l.tau_ms > l.gap_max_ms
  or l.tau_ms - l.previous_tau_ms > l.gap_max_ms
  or l.identity_no <> l.previous_identity_no
  or l.event_type = 'SESSION_START'
  or (l.sets_foreground is not null and (l.previous_sets is null or l.previous_sets <> l.sets_foreground))
  or (l.idle_ms is not null and (l.event_type = 'USER_IDLE'
    or (l.told_ms is not null and not (coalesce(l.links_on, false) and coalesce(l.linked_from, false)))))
  or exists (select 1 from state_events x where x.event_no = l.event_no)
  or exists (select 1 from kept_whole_sessions w where w.session_no = l.session_no)

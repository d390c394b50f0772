-- landmarks: the client events that stand out in the order of their epoch, in one look at all of them; the others only
--   repeat what the one before them told (sql/README.md, "The short way").
-- Grain: one row per such event: the first and the last of an epoch, those beside a gap, those that name another identity or
--   another foreground state than the one before them, SESSION_STARTs, those that arrived before the one before them, and
--   those that follow a closer. `next_ms`, `next_event_no`: of the epoch's next event, a landmark or not.
-- Reads: current_events, definitions.
-- Rules: R11, R12 (what may be rejected), R14, R15 (what may turn). Effective times are no
--   further apart than arrivals: tau of the next event is at most its arrival, and tau of this one is below its arrival only
--   where it is the next one's.
with bounds as (
  select min(d.gap_max_ms) as gap_max_ms from definitions d
),
neighbours as (
  select
    c.event_no, c.session_no, c.epoch, c.sequence, c.identity_no, c.event_type, c.server_ms, c.sets_foreground,
    lag(c.server_ms) over (partition by c.session_no, c.epoch order by c.sequence) as previous_ms,
    lag(c.identity_no) over (partition by c.session_no, c.epoch order by c.sequence) as previous_identity_no,
    lag(c.event_type) over (partition by c.session_no, c.epoch order by c.sequence) as previous_type,
    lag(c.sets_foreground) over (partition by c.session_no, c.epoch order by c.sequence) as previous_sets,
    lead(c.server_ms) over (partition by c.session_no, c.epoch order by c.sequence) as next_ms,
    lead(c.event_no) over (partition by c.session_no, c.epoch order by c.sequence) as next_event_no
  from current_events c
  where c.event_type <> 'SERVER_TIMEOUT'
)
select
  n.event_no,
  n.session_no,
  n.epoch,
  n.sequence,
  n.identity_no,
  n.event_type,
  n.server_ms,
  n.sets_foreground,
  n.next_event_no,
  n.next_ms,
  n.previous_identity_no is null or n.previous_identity_no <> n.identity_no as new_identity,
  coalesce(n.server_ms < n.previous_ms, false) as is_inverted,
  coalesce(n.previous_type in ('SESSION_CLOSE', 'LOGOUT'), false) as follows_closer
from neighbours n
cross join bounds b
where n.previous_ms is null
  or n.next_ms is null
  or n.server_ms < n.previous_ms
  or n.server_ms - n.previous_ms > b.gap_max_ms
  or n.next_ms - n.server_ms > b.gap_max_ms
  or n.identity_no <> n.previous_identity_no
  or (n.sets_foreground is not null and (n.previous_sets is null or n.previous_sets <> n.sets_foreground))
  or n.event_type = 'SESSION_START'
  or n.previous_type in ('SESSION_CLOSE', 'LOGOUT')

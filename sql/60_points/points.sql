-- points: turning points, numbered within their session, with the state that holds from each on.
-- Grain: one row per turning point. `next_point_ms`: tau of the epoch's next turning point.
--   `foreground_if_started`, `foreground_if_told`: the state with and without `foregroundAtStart`; null: never set.
-- Reads: turning_points, fences.
-- Rules: R9 (fence), R15 (the latest state set by session_epoch, sequence; SESSION_START sets true only where no event
--   of its epoch has set a state yet).
with numbered as (
  select
    t.*,
    row_number() over (partition by t.session_no, t.timing_no order by t.epoch, t.sequence) as point_no,
    lead(t.tau_ms) over (partition by t.session_no, t.timing_no, t.epoch order by t.sequence) as next_point_ms,
    coalesce(sum(case when t.sets_foreground is not null or t.event_type = 'SESSION_START' then 1 else 0 end) over (
      partition by t.session_no, t.timing_no, t.epoch order by t.sequence
      rows between unbounded preceding and 1 preceding
    ), 0) as setters_before
  from turning_points t
),
setting as (
  select
    n.*,
    case when n.sets_foreground then n.point_no * 2 + 1 when not n.sets_foreground then n.point_no * 2 end as told_mark,
    case
      when n.sets_foreground then n.point_no * 2 + 1
      when not n.sets_foreground then n.point_no * 2
      when n.event_type = 'SESSION_START' and n.setters_before = 0 then n.point_no * 2 + 1
    end as started_mark
  from numbered n
),
latest as (
  select
    s.*,
    max(s.told_mark) over (
      partition by s.session_no, s.timing_no order by s.point_no rows between unbounded preceding and current row
    ) as latest_told_mark,
    max(s.started_mark) over (
      partition by s.session_no, s.timing_no order by s.point_no rows between unbounded preceding and current row
    ) as latest_started_mark
  from setting s
)
select
  l.timing_no,
  l.session_no,
  l.point_no,
  l.epoch,
  l.sequence,
  l.event_no,
  l.identity_no,
  l.event_type,
  l.server_ms,
  l.tau_ms,
  l.next_tau_ms,
  l.next_point_ms,
  f.fence_ms,
  l.new_identity,
  l.latest_started_mark % 2 = 1 as foreground_if_started,
  l.latest_told_mark % 2 = 1 as foreground_if_told
from latest l
left join fences f on f.session_no = l.session_no and f.epoch = l.epoch

-- order_marks (DuckDB): client events that stand out in the order of their epoch: they follow a closer, or arrived after a
--   later one.
-- Grain: one row per such event. `tau_ms`: the earliest server_time from it on.
-- Reads: current_events, day_windows.
-- Rules: R11 (tau), R12, where nothing else is wrong with the epoch. Rows come in falling order of (session_no, epoch,
--   sequence), as their table was written; an error where they do not. An epoch's place lifts its times out of reach of
--   those that came before, so that one running minimum serves all.
with stepped as (
  select
    e.event_no, e.session_no, e.epoch, e.sequence, e.server_ms,
    lag(e.session_no) over () as later_session_no, lag(e.epoch) over () as later_epoch,
    lag(e.sequence) over () as later_sequence,
    lead(e.session_no) over () as earlier_session_no, lead(e.epoch) over () as earlier_epoch,
    lead(e.event_type) over () as earlier_type
  from current_events e
  where e.event_type <> 'SERVER_TIMEOUT'
),
checked as (
  select
    s.event_no, s.session_no, s.epoch, s.server_ms,
    s.earlier_session_no = s.session_no and s.earlier_epoch = s.epoch
      and s.earlier_type in ('SESSION_CLOSE', 'LOGOUT') as follows_closer,
    case
      when s.later_session_no is null or s.later_session_no > s.session_no then 1
      when s.later_session_no < s.session_no or s.later_epoch < s.epoch then error('rows out of order')
      when s.later_epoch > s.epoch then 1
      when s.later_sequence <= s.sequence then error('rows out of order')
    end as is_first
  from stepped s
),
placed as (
  select
    c.*,
    count(c.is_first) over (rows between unbounded preceding and current row)
      * (w.window_end_ms - w.window_start_ms) as lift
  from checked c
  cross join day_windows w
),
least_so_far as (
  select p.*, min(p.server_ms - p.lift) over (rows between unbounded preceding and current row) + p.lift as tau_ms
  from placed p
)
select l.event_no, l.session_no, l.epoch, l.server_ms, l.tau_ms, coalesce(l.follows_closer, false) as follows_closer
from least_so_far l
where l.follows_closer or l.tau_ms < l.server_ms

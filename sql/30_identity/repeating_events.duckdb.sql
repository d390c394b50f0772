-- repeating_events (DuckDB): client events that share their session, epoch and sequence with another.
-- Grain: one row per such event.
-- Reads: sequenced_events.
-- Rules: R7, second half. Rows come in falling order of (session_no, epoch, sequence, server_ms, event_no), as their table
--   was written, so that twins are neighbours; an error where they do not.
with stepped as (
  select
    e.event_no, e.session_no, e.epoch, e.sequence, e.server_ms,
    lag(e.session_no) over () as later_session_no, lag(e.epoch) over () as later_epoch,
    lag(e.sequence) over () as later_sequence, lag(e.server_ms) over () as later_server_ms,
    lag(e.event_no) over () as later_event_no,
    lead(e.session_no) over () as earlier_session_no, lead(e.epoch) over () as earlier_epoch,
    lead(e.sequence) over () as earlier_sequence
  from sequenced_events e
  where e.event_type <> 'SERVER_TIMEOUT'
)
select s.event_no, s.session_no, s.epoch, s.sequence, s.server_ms
from stepped s
where case
    when s.later_session_no is null or s.later_session_no > s.session_no then false
    when s.later_session_no < s.session_no or s.later_epoch < s.epoch then error('rows out of order')
    when s.later_epoch > s.epoch or s.later_sequence > s.sequence then false
    when s.later_sequence < s.sequence or s.later_server_ms < s.server_ms
      or (s.later_server_ms = s.server_ms and s.later_event_no < s.event_no) then error('rows out of order')
    else true
  end
  or (s.earlier_session_no = s.session_no and s.earlier_epoch = s.epoch and s.earlier_sequence = s.sequence)

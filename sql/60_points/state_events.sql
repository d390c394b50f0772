-- state_events: client events that change a state of a definition's own.
-- Grain: one row per (definition, state, event) where the value differs from the one set before in the session.
-- Reads: state_types (definition, state, event type, value), state_values (engine: what a lake's column says per
--   event), accepted_events.
-- Rules: R17 (order by session_epoch, sequence, as in R15).
with settings_made as (
  select t.metric_no, t.state_bit, e.event_no, e.session_no, e.epoch, e.sequence, t.is_on
  from state_types t
  join accepted_events e on e.event_type = t.event_type
  union all
  select v.metric_no, v.state_bit, e.event_no, e.session_no, e.epoch, e.sequence, v.is_on
  from state_values v
  join accepted_events e on e.event_no = v.event_no
),
compared as (
  select
    m.metric_no, m.state_bit, m.event_no, m.is_on,
    lag(m.is_on) over (
      partition by m.metric_no, m.state_bit, m.session_no order by m.epoch, m.sequence
    ) as was_on
  from settings_made m
)
select c.metric_no, c.state_bit, c.event_no, c.is_on
from compared c
where c.was_on is null or c.was_on <> c.is_on

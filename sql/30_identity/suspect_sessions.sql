-- suspect_sessions: sessions in which R7 (second half), R8, R9, R11 or R12 may reject or move a client event.
-- Grain: one row per session. In every other session all client events are accepted at their own server_time, because
--   its one user and device, its unbroken order and its closers at the ends of epochs leave those rules nothing to do.
-- Reads: sequenced_events, identities, settings.
-- Rules: none of its own; it only decides who takes the long way (sql/README.md, "The short way").
with claimed as (
  select i.session_no
  from identities i
  group by i.session_no
  having count(distinct i.user_no) > 1 or count(distinct i.device_no) > 1
),
steps as (
  select
    e.session_no, e.epoch, e.sequence, e.server_ms,
    lag(e.epoch) over (partition by e.session_no order by e.epoch, e.sequence, e.server_ms, e.event_no)
      as previous_epoch,
    lag(e.sequence) over (partition by e.session_no order by e.epoch, e.sequence, e.server_ms, e.event_no)
      as previous_sequence,
    lag(e.server_ms) over (partition by e.session_no order by e.epoch, e.sequence, e.server_ms, e.event_no)
      as previous_server_ms,
    lag(e.event_type) over (partition by e.session_no order by e.epoch, e.sequence, e.server_ms, e.event_no)
      as previous_type
  from sequenced_events e
  where e.event_type <> 'SERVER_TIMEOUT'
),
broken as (
  select t.session_no
  from steps t
  where t.server_ms < t.previous_server_ms
    or (t.epoch = t.previous_epoch
      and (t.sequence = t.previous_sequence or t.previous_type in ('SESSION_CLOSE', 'LOGOUT')))
    or (t.epoch > t.previous_epoch and t.server_ms = t.previous_server_ms)
),
timed_out as (
  select e.session_no
  from sequenced_events e
  cross join settings s
  where e.event_type = 'SERVER_TIMEOUT' and s.timeout_closes
)
select c.session_no from claimed c
union
select b.session_no from broken b
union
select t.session_no from timed_out t

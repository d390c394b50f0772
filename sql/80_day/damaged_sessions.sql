-- damaged_sessions: sessions that lost more than half of their client events to the rules of identity and order.
-- Grain: one row per session, counted in the read window.
-- Reads: sequenced_events, event_verdicts, identities.
-- Rules: R8-R12 (a share that high says that the lake, not one event, is wrong).
with lost as (
  select e.session_no, count(*) as lost_events
  from sequenced_events e
  join event_verdicts v on v.event_no = e.event_no
  where e.event_type <> 'SERVER_TIMEOUT' and v.reason in (
    'IDENTITY_CONFLICT', 'STALE_EPOCH', 'EVENT_AFTER_CLOSE', 'SEQUENCE_JUMP', 'LATE_EVENT'
  )
  group by e.session_no
),
sessions as (
  select e.session_no, l.lost_events, count(*) as events
  from sequenced_events e
  join lost l on l.session_no = e.session_no
  anti join (select v.event_no from event_verdicts v where v.reason = 'DUPLICATE_SEQUENCE') d on d.event_no = e.event_no
  where e.event_type <> 'SERVER_TIMEOUT'
  group by e.session_no, l.lost_events
),
names as (
  select i.session_no, min(i.session_id) as session_id
  from identities i
  group by i.session_no
)
select n.session_id, s.events, s.lost_events
from sessions s
join names n on n.session_no = s.session_no
where s.lost_events * 2 > s.events

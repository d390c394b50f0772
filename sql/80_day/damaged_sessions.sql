-- damaged_sessions: sessions that lost more than half of their client events to the rules of identity and order.
-- Grain: one row per session, counted in the read window.
-- Reads: suspect_events, event_verdicts, identities.
-- Rules: R8-R12 (a share that high says that the lake, not one event, is wrong).
with judged as (
  select
    e.session_no,
    case when v.reason in (
      'IDENTITY_CONFLICT', 'STALE_EPOCH', 'EVENT_AFTER_CLOSE', 'SEQUENCE_JUMP', 'LATE_EVENT'
    ) then 1 else 0 end as lost
  from suspect_events e
  left join event_verdicts v on v.event_no = e.event_no
  where e.event_type <> 'SERVER_TIMEOUT' and (v.reason is null or v.reason <> 'DUPLICATE_SEQUENCE')
),
sessions as (
  select j.session_no, count(*) as events, cast(sum(j.lost) as bigint) as lost_events
  from judged j
  group by j.session_no
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

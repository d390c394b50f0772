-- duplicate_sequences: client events whose sequence an earlier event of their epoch has already used.
-- Grain: one row per rejected event.
-- Reads: suspect_events, suspect_sessions, tied_ids (engine: event ids of tied_events).
-- Rules: R7, second half (DUPLICATE_SEQUENCE).
with ranked as (
  select
    e.event_no,
    row_number() over (
      partition by e.session_no, e.epoch, e.sequence
      order by e.server_ms, t.event_id nulls first, e.event_no
    ) as place
  from suspect_events e
  join suspect_sessions s on s.session_no = e.session_no and s.repeated
  left join tied_ids t on t.event_no = e.event_no
  where e.event_type <> 'SERVER_TIMEOUT'
)
select
  r.event_no,
  'DUPLICATE_SEQUENCE' as reason,
  cast(null as varchar(64)) as detail
from ranked r
where r.place > 1

-- duplicate_sequences: client events whose sequence an earlier event of their epoch has already used.
-- Grain: one row per rejected event.
-- Reads: repeating_events, tied_ids (engine: event ids of tied_events).
-- Rules: R7, second half (DUPLICATE_SEQUENCE).
with ranked as (
  select
    r.event_no, r.server_ms,
    row_number() over (
      partition by r.session_no, r.epoch, r.sequence
      order by r.server_ms, t.event_id nulls first, r.event_no
    ) as place
  from repeating_events r
  left join tied_ids t on t.event_no = r.event_no
)
select
  r.event_no,
  r.server_ms,
  'DUPLICATE_SEQUENCE' as reason,
  cast(null as varchar(64)) as detail
from ranked r
where r.place > 1

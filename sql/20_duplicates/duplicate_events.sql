-- duplicate_events: rows whose event id an earlier row has already used.
-- Grain: one row per rejected event.
-- Reads: repeated_events (engine: the admitted rows whose event id occurs more than once, with all their columns;
--   other_order ranks equal rows by the lake's other columns; event_no orders by file, then row).
-- Rules: R7, first half (DUPLICATE_EVENT, CONFLICTING_EVENT_ID).
with ranked as (
  select
    r.*,
    row_number() over (
      partition by r.event_id
      order by
        r.server_ms, r.session_id, r.epoch, r.sequence nulls first, r.event_type, r.user_id,
        r.device_id nulls first, r.client_type nulls first, r.channel nulls first, r.app_version nulls first,
        r.region nulls first, r.client_ms nulls first, r.last_active_ms nulls first, r.foreground nulls first,
        r.active nulls first, r.other_order, r.event_no
    ) as place
  from repeated_events r
)
select
  d.event_no,
  d.server_ms,
  case
    when d.user_id = k.user_id and d.session_id = k.session_id and d.epoch = k.epoch
      and d.sequence is not distinct from k.sequence and d.event_type = k.event_type then 'DUPLICATE_EVENT'
    else 'CONFLICTING_EVENT_ID'
  end as reason,
  cast(null as varchar(64)) as detail
from ranked d
join ranked k on k.event_id = d.event_id and k.place = 1
where d.place > 1

-- stale_events: events of an epoch at or after the first event of a newer one.
-- Grain: one row per rejected event, SERVER_TIMEOUT included.
-- Reads: claimed_events, clean_events (whose client events are never stale), fences.
-- Rules: R9 (STALE_EPOCH).
select c.event_no, 'STALE_EPOCH' as reason, cast(null as varchar(64)) as detail
from claimed_events c
join fences f on f.session_no = c.session_no and f.epoch = c.epoch
where c.server_ms >= f.fence_ms
union all
select c.event_no, 'STALE_EPOCH' as reason, cast(null as varchar(64)) as detail
from clean_events c
join fences f on f.session_no = c.session_no and f.epoch = c.epoch
where c.event_type = 'SERVER_TIMEOUT' and c.server_ms >= f.fence_ms

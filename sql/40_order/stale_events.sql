-- stale_events: events of an epoch at or after the first event of a newer one.
-- Grain: one row per rejected event, SERVER_TIMEOUT included.
-- Reads: claimed_events, fences.
-- Rules: R9 (STALE_EPOCH).
select c.event_no, c.server_ms, 'STALE_EPOCH' as reason, cast(null as varchar(64)) as detail
from claimed_events c
join fences f on f.session_no = c.session_no and f.epoch = c.epoch and f.is_crossed
where c.server_ms >= f.fence_ms

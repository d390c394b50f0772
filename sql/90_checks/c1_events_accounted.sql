-- C1: events owned = accepted + quarantined, and no event is quarantined twice.
-- Grain: one row per violation.
-- Reads: event_counts, owned_verdicts, quarantined_events.
-- Rules: R2.
select
  'events' as subject,
  concat(
    cast(c.owned as varchar(20)), ' owned, ', cast(c.accepted as varchar(20)), ' accepted, ',
    cast(c.quarantined as varchar(20)), ' quarantined'
  ) as problem
from event_counts c
where c.owned <> c.accepted + c.quarantined
union all
select concat('event ', cast(v.event_no as varchar(20))) as subject, 'quarantined more than once' as problem
from owned_verdicts v
group by v.event_no
having count(*) > 1
union all
select
  'quarantined_events' as subject,
  concat(cast(q.events as varchar(20)), ' rows for ', cast(c.quarantined as varchar(20)), ' events') as problem
from event_counts c
cross join (select count(*) as events from quarantined_events) q
where q.events <> c.quarantined

-- reason_counts: how many of the day's events each rule rejected.
-- Grain: one row per reason that occurs.
-- Reads: owned_verdicts.
-- Rules: R2-R12.
select v.reason, count(*) as events
from owned_verdicts v
group by v.reason

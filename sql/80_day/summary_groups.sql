-- summary_groups: what daily_summary groups by: the whole, and each value of each dimension.
-- Grain: one row per (dimension, value); the value is null where sessions have none, and for the total.
-- Reads: session_attributes.
-- Rules: contract of daily_summary (dimension, value; null for unknown).
with pairs as (
  select 'total' as dimension, cast(null as varchar(64)) as value
  union
  select 'client_type' as dimension, a.client_type as value from session_attributes a
  union
  select 'channel' as dimension, a.channel as value from session_attributes a
  union
  select 'app_version' as dimension, a.app_version as value from session_attributes a
  union
  select 'region' as dimension, a.region as value from session_attributes a
)
select row_number() over (order by p.dimension, p.value nulls first) as group_no, p.dimension, p.value
from pairs p

-- session_groups: the groups that each session counts in.
-- Grain: one row per (session, dimension).
-- Reads: session_attributes, summary_groups.
-- Rules: contract of daily_summary (dimension, value).
select a.session_no, g.group_no
from session_attributes a
join summary_groups g on g.dimension = 'client_type' and g.value is not distinct from a.client_type
union all
select a.session_no, g.group_no
from session_attributes a
join summary_groups g on g.dimension = 'channel' and g.value is not distinct from a.channel
union all
select a.session_no, g.group_no
from session_attributes a
join summary_groups g on g.dimension = 'app_version' and g.value is not distinct from a.app_version
union all
select a.session_no, g.group_no
from session_attributes a
join summary_groups g on g.dimension = 'region' and g.value is not distinct from a.region
union all
select a.session_no, g.group_no
from session_attributes a
cross join summary_groups g
where g.dimension = 'total'

-- online_pieces: the parts of slots in which a definition's `online` is true.
-- Grain: one row per (definition, session, piece); disjoint within a session, not yet merged.
-- Reads: slots, activity, definitions, online_masks (the masks, 2 being active, for which `online` is true).
-- Rules: R16 (active only within foreground), R18.
with marks as (
  select
    s.metric_no, s.session_no, s.start_ms as at_ms, s.mask + 1 as slot_change, s.cut_ms as cut_change, 0 as active_change
  from slots s
  join definitions d on d.metric_no = s.metric_no
  where d.uses_active
  union all
  select
    s.metric_no, s.session_no, s.end_ms as at_ms, -s.mask - 1 as slot_change, -s.cut_ms as cut_change,
    0 as active_change
  from slots s
  join definitions d on d.metric_no = s.metric_no
  where d.uses_active
  union all
  select a.metric_no, a.session_no, a.start_ms as at_ms, 0 as slot_change, 0 as cut_change, 1 as active_change
  from activity a
  union all
  select a.metric_no, a.session_no, a.end_ms as at_ms, 0 as slot_change, 0 as cut_change, -1 as active_change
  from activity a
),
instants as (
  select
    m.metric_no, m.session_no, m.at_ms,
    cast(sum(m.slot_change) as bigint) as slot_change,
    cast(sum(m.cut_change) as bigint) as cut_change,
    cast(sum(m.active_change) as bigint) as active_change
  from marks m
  group by m.metric_no, m.session_no, m.at_ms
),
swept as (
  select
    i.metric_no, i.session_no, i.at_ms,
    lead(i.at_ms) over (partition by i.session_no, i.metric_no order by i.at_ms) as until_ms,
    sum(i.slot_change) over (
      partition by i.session_no, i.metric_no order by i.at_ms rows between unbounded preceding and current row
    ) as slot,
    sum(i.cut_change) over (
      partition by i.session_no, i.metric_no order by i.at_ms rows between unbounded preceding and current row
    ) as cut_ms,
    sum(i.active_change) over (
      partition by i.session_no, i.metric_no order by i.at_ms rows between unbounded preceding and current row
    ) as active
  from instants i
),
masked as (
  select
    w.metric_no, w.session_no, w.at_ms, w.until_ms, cast(w.cut_ms as bigint) as cut_ms,
    cast(w.slot - 1 + case when w.active > 0 and (w.slot - 1) % 2 = 1 then 2 else 0 end as bigint) as mask
  from swept w
  where w.slot > 0 and w.until_ms > w.at_ms
)
select m.metric_no, m.session_no, m.at_ms as start_ms, m.until_ms as end_ms, least(m.cut_ms, m.until_ms) as cut_ms
from masked m
join online_masks o on o.metric_no = m.metric_no and o.mask = m.mask
union all
select s.metric_no, s.session_no, s.start_ms, s.end_ms, s.cut_ms
from slots s
join definitions d on d.metric_no = s.metric_no
join online_masks o on o.metric_no = s.metric_no and o.mask = s.mask
where not d.uses_active

-- online_pieces (no epoch check): the parts of slots in which a definition's `online` is true, where slots may overlap.
-- Grain: one row per (definition, slot, piece); those of one session may overlap.
-- Reads: slots, activity, online_masks (the masks, 2 being active, for which `online` is true).
-- Rules: R16 (active only within foreground), R18; for a count without R9, in which two connections of a session may both be on.
with idle_edges as (
  select a.metric_no, a.session_no, a.end_ms as start_ms, lead(a.start_ms) over (
      partition by a.metric_no, a.session_no order by a.start_ms
    ) as end_ms
  from activity a
  union all
  select a.metric_no, a.session_no, -9223372036854775807 as start_ms, min(a.start_ms) as end_ms
  from activity a
  group by a.metric_no, a.session_no
),
stretches as (
  select a.metric_no, a.session_no, a.start_ms, a.end_ms, 2 as active_mask
  from activity a
  union all
  select i.metric_no, i.session_no, i.start_ms, coalesce(i.end_ms, 9223372036854775807) as end_ms, 0 as active_mask
  from idle_edges i
),
pieces as (
  select
    s.metric_no, s.session_no, greatest(s.start_ms, coalesce(t.start_ms, s.start_ms)) as start_ms,
    least(s.end_ms, coalesce(t.end_ms, s.end_ms)) as end_ms, s.cut_ms,
    s.mask + case when s.mask % 2 = 1 then coalesce(t.active_mask, 0) else 0 end as mask
  from slots s
  left join stretches t
    on t.metric_no = s.metric_no and t.session_no = s.session_no and t.start_ms < s.end_ms and t.end_ms > s.start_ms
)
select p.metric_no, p.session_no, p.start_ms, p.end_ms, least(p.cut_ms, p.end_ms) as cut_ms
from pieces p
join online_masks o on o.metric_no = p.metric_no and o.mask = p.mask

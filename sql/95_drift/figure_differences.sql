-- figure_differences: two sides' figures beside each other; what is on one side only stays.
-- Grain: one row per subject and value that either side has. `base`, `head`: null where that side has no such row, which
--   counts as 0 in `difference` (head - base).
-- Reads: base_figures, head_figures (subject, value, amount; one row per subject and value, amounts not null).
-- Rules: none of its own; base is the offline side of drift, or what diff compares with.
with sides as (
  select b.subject, b.value, b.amount as base, cast(null as bigint) as head
  from base_figures b
  union all
  select h.subject, h.value, cast(null as bigint) as base, h.amount as head
  from head_figures h
)
select
  s.subject,
  s.value,
  max(s.base) as base,
  max(s.head) as head,
  coalesce(max(s.head), 0) - coalesce(max(s.base), 0) as difference
from sides s
group by s.subject, s.value

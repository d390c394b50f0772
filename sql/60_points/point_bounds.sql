-- point_bounds: what all definitions of a timing agree on, so that rows between turning points can be left out.
-- Grain: one row per timing. `idle_ms` null: no definition uses `active`.
-- Reads: definitions.
-- Rules: R14 (gap.max), R16 (idle): what the smallest bridges, all bridge.
select d.timing_no, min(d.gap_max_ms) as gap_max_ms, min(case when d.uses_active then d.idle_ms end) as idle_ms
from definitions d
group by d.timing_no

-- idles: the USER_IDLE events, where a definition uses `active`.
-- Grain: one row per (timing, USER_IDLE). `while_ms`: the start of the while that it falls into (sql/README.md,
--   "Interactions by whiles").
-- Reads: signals.
-- Rules: R16.
select
  g.timing_no, g.session_no, g.epoch, g.sequence, g.tau_ms, g.tau_ms - g.tau_ms % greatest(g.idle_ms, 1) as while_ms
from signals g
where g.event_type = 'USER_IDLE' and g.idle_ms is not null

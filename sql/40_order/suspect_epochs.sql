-- suspect_epochs: epochs in which R11 or R12 may reject a client event.
-- Grain: one row per (session, epoch). In every other one all client events are accepted: its small delays and its closer
--   at the end leave those rules nothing to do.
-- Reads: order_marks, epochs, timeouts, settings.
-- Rules: none of its own; it only decides who takes the long way (sql/README.md, "The short way").
with suspicions as (
  select m.session_no, m.epoch
  from order_marks m
  join epochs p on p.session_no = m.session_no and p.epoch = m.epoch
  cross join settings s
  where m.follows_closer or m.server_ms - m.tau_ms > s.allowed_lateness_ms
    or p.last_sequence - p.first_sequence > s.max_sequence_jump
  union all
  select t.session_no, t.epoch
  from timeouts t
  cross join settings s
  where t.verdict = 'valid' and s.timeout_closes
)
select distinct u.session_no, u.epoch
from suspicions u

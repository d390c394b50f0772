-- suspect_epochs: epochs in which R11 or R12 may reject a client event.
-- Grain: one row per (session, epoch). In every other one all client events are accepted: its small delays and its closer
--   at the end leave those rules nothing to do. `only_late`: nothing but the delays of its events is suspicious.
-- Reads: landmarks, delays, crowded_epochs, epochs, timeouts, settings.
-- Rules: none of its own; it only decides who takes the long way (sql/README.md, "The short way").
with suspicions as (
  select l.session_no, l.epoch, 0 as is_delay
  from landmarks l
  where l.follows_closer
  union all
  select c.session_no, c.epoch, 0 as is_delay
  from crowded_epochs c
  union all
  select d.session_no, d.epoch, case when p.last_sequence - p.first_sequence > s.max_sequence_jump then 0 else 1 end
    as is_delay
  from delays d
  join epochs p on p.session_no = d.session_no and p.epoch = d.epoch
  cross join settings s
  where d.server_ms - d.tau_ms > s.allowed_lateness_ms or p.last_sequence - p.first_sequence > s.max_sequence_jump
  union all
  select t.session_no, t.epoch, 0 as is_delay
  from timeouts t
  cross join settings s
  where t.verdict = 'valid' and s.timeout_closes
)
select u.session_no, u.epoch, min(u.is_delay) = 1 as only_late
from suspicions u
group by u.session_no, u.epoch

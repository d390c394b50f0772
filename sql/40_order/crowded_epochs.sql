-- crowded_epochs: epochs in which so many events arrived before the one before them that to compare each with each would be
--   slow; their order is found the long way.
-- Grain: one row per (session, epoch).
-- Reads: landmarks.
-- Rules: none of its own.
select l.session_no, l.epoch
from landmarks l
where l.is_inverted
group by l.session_no, l.epoch
having count(*) > 64

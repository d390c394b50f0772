-- suspect_sessions: sessions in which R7 (second half), R8, R9, R11 or R12 may reject a client event.
-- Grain: one row per session. In every other session all client events are accepted, because its one user and device,
--   its epochs apart, its small delays and its closers at the ends of epochs leave those rules nothing to do.
--   `claimed`: more than one user or device; `repeated`: more than one event of a sequence.
-- Reads: order_marks, epochs, identities, sequenced_events, settings.
-- Rules: none of its own; it only decides who takes the long way (sql/README.md, "The short way").
with reached as (
  select
    p.session_no, p.start_ms,
    max(p.end_ms) over (
      partition by p.session_no order by p.epoch rows between unbounded preceding and 1 preceding
    ) as reached_ms
  from epochs p
),
suspicions as (
  select i.session_no, 1 as claimed, 0 as repeated
  from identities i
  group by i.session_no
  having count(distinct i.user_no) > 1 or count(distinct i.device_no) > 1
  union all
  select m.session_no, 0 as claimed, case when m.repeats then 1 else 0 end as repeated
  from order_marks m
  join epochs p on p.session_no = m.session_no and p.epoch = m.epoch
  cross join settings s
  where m.repeats or m.follows_closer or m.server_ms - m.tau_ms > s.allowed_lateness_ms
    or p.last_sequence - p.first_sequence > s.max_sequence_jump
  union all
  select r.session_no, 0 as claimed, 0 as repeated
  from reached r
  where r.start_ms <= r.reached_ms
  union all
  select e.session_no, 0 as claimed, 0 as repeated
  from sequenced_events e
  cross join settings s
  where e.event_type = 'SERVER_TIMEOUT' and s.timeout_closes
)
select u.session_no, max(u.claimed) = 1 as claimed, max(u.repeated) = 1 as repeated
from suspicions u
group by u.session_no

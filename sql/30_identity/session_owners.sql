-- session_owners: the user and the device that a session with several claims belongs to.
-- Grain: one row per claimed session with client events; device_no null where no event of the owner names one.
-- Reads: sequenced_events, claimed_sessions, duplicate_sequences, identities.
-- Rules: R8 (majority; of equals the one that comes first by session_epoch, sequence, server_time).
with claims as (
  select
    e.session_no, i.user_no, i.device_no,
    row_number() over (partition by e.session_no order by e.epoch, e.sequence, e.server_ms, e.event_no) as place
  from sequenced_events e
  join identities i on i.identity_no = e.identity_no
  semi join claimed_sessions s on s.session_no = e.session_no
  anti join duplicate_sequences d on d.event_no = e.event_no
  where e.event_type <> 'SERVER_TIMEOUT'
),
users as (
  select c.session_no, c.user_no, count(*) as events, min(c.place) as first_place
  from claims c
  group by c.session_no, c.user_no
),
owners as (
  select
    u.session_no, u.user_no,
    row_number() over (partition by u.session_no order by u.events desc, u.first_place) as place
  from users u
),
devices as (
  select c.session_no, c.device_no, count(*) as events, min(c.place) as first_place
  from claims c
  join owners o on o.session_no = c.session_no and o.user_no = c.user_no and o.place = 1
  where c.device_no is not null
  group by c.session_no, c.device_no
),
own_devices as (
  select
    d.session_no, d.device_no,
    row_number() over (partition by d.session_no order by d.events desc, d.first_place) as place
  from devices d
)
select o.session_no, o.user_no, d.device_no
from owners o
left join own_devices d on d.session_no = o.session_no and d.place = 1
where o.place = 1

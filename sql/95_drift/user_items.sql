-- user_items: how much of what corrections are about each user has in the day.
-- Grain: one row per (definition, user with any event in the day). `heartbeats`: accepted ones at which the session is online;
--   `reordered`: accepted events that arrived after a later one; `silences`: between events further apart than gap.max;
--   `client_timed`: accepted events with a client time; `stale`: rejected events of connections that were taken over.
-- Reads: points (every accepted event one), events, event_verdicts, definitions, identities, session_attributes, day_spans,
--   day_windows.
-- Rules: R9, R11, R13, R14, whose corrections these are.
with accepted as (
  select
    d.metric_no, a.user_id,
    case when p.event_type = 'HEARTBEAT' and s.session_no is not null then 1 else 0 end as heartbeats,
    case when p.tau_ms < p.server_ms then 1 else 0 end as reordered,
    case when p.next_tau_ms - p.tau_ms > d.gap_max_ms then 1 else 0 end as silences,
    case when e.client_ms is not null then 1 else 0 end as client_timed,
    0 as stale
  from points p
  join definitions d on d.timing_no = p.timing_no
  join events e on e.event_no = p.event_no
  join session_attributes a on a.session_no = p.session_no
  cross join day_windows w
  left join day_spans s
    on s.metric_no = d.metric_no and s.session_no = p.session_no and s.start_ms <= p.tau_ms and s.end_ms > p.tau_ms
  where p.tau_ms >= w.start_ms and p.tau_ms < w.end_ms
),
stale as (
  select d.metric_no, i.user_id, 0 as heartbeats, 0 as reordered, 0 as silences, 0 as client_timed, 1 as stale
  from event_verdicts v
  join events e on e.event_no = v.event_no
  join identities i on i.identity_no = e.identity_no
  cross join definitions d
  cross join day_windows w
  where v.reason = 'STALE_EPOCH' and e.server_ms >= w.start_ms and e.server_ms < w.end_ms
),
items as (
  select c.* from accepted c
  union all
  select t.* from stale t
)
select
  m.metric_no,
  m.user_id,
  cast(sum(m.heartbeats) as bigint) as heartbeats,
  cast(sum(m.reordered) as bigint) as reordered,
  cast(sum(m.silences) as bigint) as silences,
  cast(sum(m.client_timed) as bigint) as client_timed,
  cast(sum(m.stale) as bigint) as stale
from items m
group by m.metric_no, m.user_id

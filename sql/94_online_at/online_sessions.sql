-- online_sessions: the sessions that count at an instant, in what state, and when their clients were last heard.
-- Grain: one row per (instant of the day, definition, session that is online at it). `mask`: 1 foreground, 2 active,
--   4, 8, ... own states. `last_seen_ms`: of its latest client event at or before the instant.
-- Reads: instants, definitions, day_spans, slots, activity, timed_events.
-- Rules: R11 and R13 (when an event happened), R14 to R22 (what counts at the instant, and the states that hold then).
with online as (
  select i.at_ms, d.metric_no, n.timing_no, d.session_no, d.user_no
  from instants i
  join day_spans d on d.start_ms <= i.at_ms and d.end_ms > i.at_ms
  join definitions n on n.metric_no = d.metric_no
),
heard as (
  select o.at_ms, o.metric_no, o.session_no, max(e.tau_ms) as last_seen_ms
  from online o
  join timed_events e on e.timing_no = o.timing_no and e.session_no = o.session_no and e.tau_ms <= o.at_ms
  group by o.at_ms, o.metric_no, o.session_no
),
standing as (
  select o.at_ms, o.metric_no, o.session_no, max(s.mask) as mask
  from online o
  join slots s
    on s.metric_no = o.metric_no and s.session_no = o.session_no and s.start_ms <= o.at_ms and s.end_ms > o.at_ms
  group by o.at_ms, o.metric_no, o.session_no
),
interacting as (
  select o.at_ms, o.metric_no, o.session_no, max(2) as mask
  from online o
  join activity a
    on a.metric_no = o.metric_no and a.session_no = o.session_no and a.start_ms <= o.at_ms and a.end_ms > o.at_ms
  group by o.at_ms, o.metric_no, o.session_no
)
select
  o.at_ms,
  o.metric_no,
  o.user_no,
  o.session_no,
  cast(s.mask + case when s.mask % 2 = 1 then coalesce(a.mask, 0) else 0 end as bigint) as mask,
  h.last_seen_ms
from online o
join heard h on h.at_ms = o.at_ms and h.metric_no = o.metric_no and h.session_no = o.session_no
join standing s on s.at_ms = o.at_ms and s.metric_no = o.metric_no and s.session_no = o.session_no
left join interacting a on a.at_ms = o.at_ms and a.metric_no = o.metric_no and a.session_no = o.session_no

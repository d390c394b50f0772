-- counted_spans: the session time that counts for the user.
-- Grain: one row per (definition, session, interval); disjoint, touching ones merged.
-- Reads: session_spans, online_pieces, overlong_sessions, definitions.
-- Rules: R19 (an overlong session counts nothing), R20 (cut where another device was heard).
with cut_pieces as (
  select p.metric_no, p.session_no, p.start_ms, p.cut_ms as end_ms
  from online_pieces p
  join definitions d on d.metric_no = p.metric_no
  where d.latest_device and p.cut_ms > p.start_ms
),
stepped as (
  select
    c.metric_no, c.session_no, c.start_ms, c.end_ms,
    lag(c.end_ms) over (partition by c.session_no, c.metric_no order by c.start_ms) as previous_end_ms
  from cut_pieces c
),
islands as (
  select
    t.metric_no, t.session_no, t.start_ms, t.end_ms,
    sum(case when t.start_ms = t.previous_end_ms then 0 else 1 end) over (
      partition by t.session_no, t.metric_no order by t.start_ms rows between unbounded preceding and current row
    ) as island_no
  from stepped t
),
spans as (
  select i.metric_no, i.session_no, min(i.start_ms) as start_ms, max(i.end_ms) as end_ms
  from islands i
  group by i.metric_no, i.session_no, i.island_no
  union all
  select s.metric_no, s.session_no, s.start_ms, s.end_ms
  from session_spans s
  join definitions d on d.metric_no = s.metric_no
  where not d.latest_device
)
select p.metric_no, p.session_no, p.start_ms, p.end_ms
from spans p
anti join overlong_sessions o on o.metric_no = p.metric_no and o.session_no = p.session_no

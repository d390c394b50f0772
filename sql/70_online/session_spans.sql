-- session_spans: a session's online time as the read window shows it.
-- Grain: one row per (definition, session, interval); disjoint, touching pieces merged.
-- Reads: online_pieces.
-- Rules: R18 (union over the epochs).
with stepped as (
  select
    p.metric_no, p.session_no, p.start_ms, p.end_ms,
    lag(p.end_ms) over (partition by p.session_no, p.metric_no order by p.start_ms) as previous_end_ms
  from online_pieces p
),
islands as (
  select
    t.metric_no, t.session_no, t.start_ms, t.end_ms,
    sum(case when t.start_ms = t.previous_end_ms then 0 else 1 end) over (
      partition by t.session_no, t.metric_no order by t.start_ms rows between unbounded preceding and current row
    ) as island_no
  from stepped t
)
select i.metric_no, i.session_no, min(i.start_ms) as start_ms, max(i.end_ms) as end_ms
from islands i
group by i.metric_no, i.session_no, i.island_no

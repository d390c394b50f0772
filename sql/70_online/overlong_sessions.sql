-- overlong_sessions: sessions whose online time, as the read window shows it, exceeds the definition's limit.
-- Grain: one row per (definition, session).
-- Reads: session_spans, definitions.
-- Rules: R19 (SESSION_TOO_LONG).
select s.metric_no, s.session_no, cast(sum(s.end_ms - s.start_ms) as bigint) as online_ms
from session_spans s
join definitions d on d.metric_no = s.metric_no
where d.max_session_ms is not null
group by s.metric_no, s.session_no, d.max_session_ms
having sum(s.end_ms - s.start_ms) > d.max_session_ms

-- event_verdicts: every event of the read window that a rule rejects, with the first rule that it breaks.
-- Grain: one row per rejected event. `time_ms`: the event's time (R1).
-- Reads: rejected_readings, duplicate_events, duplicate_sequences, identity_conflicts, stale_events, timeouts,
--   ordered_events.
-- Rules: R2 (exactly one reason), R3-R12.
select r.event_no, r.time_ms, r.reason, r.detail from rejected_readings r
union all
select d.event_no, d.server_ms as time_ms, d.reason, d.detail from duplicate_events d
union all
select d.event_no, d.server_ms as time_ms, d.reason, d.detail from duplicate_sequences d
union all
select c.event_no, c.server_ms as time_ms, c.reason, c.detail from identity_conflicts c
union all
select x.event_no, x.server_ms as time_ms, x.reason, x.detail from stale_events x
union all
select t.event_no, t.server_ms as time_ms, 'STALE_TIMEOUT' as reason, cast(null as varchar(64)) as detail from timeouts t
where t.verdict = 'stale'
union all
select o.event_no, o.server_ms as time_ms, o.reason, o.detail from ordered_events o
where o.reason is not null

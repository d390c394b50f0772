-- session_attributes: whose a session is, on what, and the names that reports group by.
-- Grain: one row per session with accepted client events. `device_key`: equal for sessions of one device; a session
--   without a device is a device of its own.
-- Reads: points, timings, identities.
-- Rules: first non-empty value by (session_epoch, sequence) of the accepted client events (session_daily); R8, R20.
with seen as (
  select
    p.session_no, p.point_no, i.session_id, i.user_no, i.user_id, i.device_id, i.client_type, i.channel,
    i.app_version, i.region
  from points p
  join (select min(t.timing_no) as timing_no from timings t) first_timing on first_timing.timing_no = p.timing_no
  join identities i on i.identity_no = p.identity_no
  where p.new_identity
),
named as (
  select
    s.session_no,
    min(s.session_id) as session_id,
    min(s.user_no) as user_no,
    min(s.user_id) as user_id,
    min_by(s.device_id, case when s.device_id is not null then s.point_no end) as device_id,
    min_by(s.client_type, case when s.client_type is not null then s.point_no end) as client_type,
    min_by(s.channel, case when s.channel is not null then s.point_no end) as channel,
    min_by(s.app_version, case when s.app_version is not null then s.point_no end) as app_version,
    min_by(s.region, case when s.region is not null then s.point_no end) as region
  from seen s
  group by s.session_no
)
select
  n.session_no,
  n.session_id,
  n.user_no,
  n.user_id,
  n.device_id,
  case when n.device_id is null then concat('session:', n.session_id) else concat('device:', n.device_id) end
    as device_key,
  n.client_type,
  n.channel,
  n.app_version,
  n.region
from named n

/**
 * What is told of slots. The columns come from the stages' own relations; how a slot got its length is told again here in words,
 * and a test holds every slot against `slots`.
 */
export const STEPS_STATEMENT = `create table explained_steps as
  with standing as (
    select
      d.metric_no, d.timing_no, d.gap_credit_ms, d.tail_ms, p.session_no, p.point_no, p.event_no, p.event_type,
      p.server_ms, p.tau_ms, p.next_tau_ms, p.fence_ms,
      case when d.uses_active then g.told_ms end as told_ms,
      case when d.foreground_at_start then p.foreground_if_started else p.foreground_if_told end as foreground,
      coalesce(o.mask, 0) as own_mask,
      case when d.latest_device then c.cut_ms end as device_cut_ms,
      case
        when p.next_tau_ms is null or p.next_tau_ms - p.tau_ms > s.lookahead_ms
          then case when p.event_type in ('SESSION_CLOSE', 'LOGOUT') then 'closer' else 'tail' end
        when p.next_tau_ms - p.tau_ms <= d.gap_max_ms then 'gap'
        else 'credit'
      end as earning
    from points p
    join explained_sessions e on e.session_no = p.session_no and e.of_user
    join definitions d on d.timing_no = p.timing_no
    join signals g on g.timing_no = p.timing_no and g.event_no = p.event_no
    cross join settings s
    left join own_states o on o.metric_no = d.metric_no and o.session_no = p.session_no and o.point_no = p.point_no
    left join device_cuts c on c.timing_no = p.timing_no and c.session_no = p.session_no and c.point_no = p.point_no
  ),
  lasting as (
    select
      *,
      case earning
        when 'gap' then next_tau_ms
        when 'credit' then tau_ms + gap_credit_ms
        when 'closer' then tau_ms
        else least(
          tau_ms + tail_ms, coalesce(next_tau_ms, 9223372036854775807), coalesce(fence_ms, 9223372036854775807)
        )
      end as slot_end_ms
    from standing
  ),
  pieces as (
    select
      l.metric_no, l.event_no,
      cast(sum(p.end_ms - p.start_ms) as bigint) as online_ms,
      cast(sum(greatest(least(p.cut_ms, w.end_ms) - greatest(p.start_ms, w.start_ms), 0)) as bigint) as counted_ms
    from online_pieces p
    asof join (select * from lasting where slot_end_ms > tau_ms) l
      on l.metric_no = p.metric_no and l.session_no = p.session_no and p.start_ms >= l.tau_ms
    cross join day_windows w
    group by l.metric_no, l.event_no
  ),
  counted as (
    select
      l.*, coalesce(p.online_ms, 0) as online_ms,
      case when o.session_no is null then coalesce(p.counted_ms, 0) else 0 end as counted_ms,
      lag(l.foreground) over session_order as previous_foreground,
      coalesce(lag(l.own_mask) over session_order, 0) as previous_mask,
      lag(l.earning) over session_order as previous_earning,
      case when l.slot_end_ms > l.tau_ms then coalesce(p.online_ms, 0) > 0 end as is_online,
      lag(case when l.slot_end_ms > l.tau_ms then coalesce(p.online_ms, 0) > 0 end ignore nulls) over session_order
        as previous_online,
      coalesce(l.device_cut_ms < l.slot_end_ms, false) as is_cut,
      lag(coalesce(l.device_cut_ms < l.slot_end_ms, false)) over session_order as previous_cut
    from lasting l
    left join pieces p on p.metric_no = l.metric_no and p.event_no = l.event_no
    left join overlong_sessions o on o.metric_no = l.metric_no and o.session_no = l.session_no
    window session_order as (partition by l.metric_no, l.session_no order by l.point_no)
  )
  select
    c.*,
    c.foreground is distinct from c.previous_foreground or c.own_mask <> c.previous_mask as changes_state,
    (c.tau_ms < w.start_ms and c.slot_end_ms > w.start_ms) or (c.tau_ms < w.end_ms and c.slot_end_ms > w.end_ms)
      as crosses_edge,
    c.earning <> 'gap' or c.previous_earning is distinct from 'gap' or c.tau_ms < c.server_ms
      or c.is_cut is distinct from c.previous_cut or c.online_ms not in (0, c.slot_end_ms - c.tau_ms)
      or coalesce(c.is_online is distinct from c.previous_online and c.is_online is not null, false)
      as breaks_run
  from counted c
  cross join day_windows w`;

/** The event of another device that cuts a slot (R20). */
export const DEVICE_CUTS_STATEMENT = `create table explained_device_cuts as
  select
    s.metric_no, s.event_no,
    arg_min(p.event_no, (b.session_id, p.epoch, p.sequence)) as because_no
  from explained_steps s
  join session_attributes a on a.session_no = s.session_no
  join session_attributes b on b.user_no = a.user_no and b.device_key <> a.device_key
  join points p on p.timing_no = s.timing_no and p.session_no = b.session_no and p.tau_ms = s.device_cut_ms
  where s.device_cut_ms < s.slot_end_ms and p.event_type not in ('SESSION_CLOSE', 'LOGOUT')
  group by s.metric_no, s.event_no`;

/** Events of these types are folded among themselves only; of others (HEARTBEAT, USER_ACTIVE, …) whatever the type. */
const TELLING_TYPES =
  "'SESSION_START', 'APP_FOREGROUND', 'APP_BACKGROUND', 'USER_IDLE', 'LIVE_ENTER', 'LIVE_LEAVE', 'SESSION_CLOSE', 'LOGOUT'";

const KIND_OF_TYPE = `case when e.event_type in (${TELLING_TYPES}) then e.event_type else '' end`;

/**
 * Runs of accepted events that repeat each other in all that is told of them; the first of a run has `in_run` 1. Outside of the
 * day events count nothing: there only the last change of state before the day begins a new run, since that state holds when the
 * day begins.
 */
export const RUNS_STATEMENT = `create table explained_runs as
  with stepped as (
    select
      event_no, bool_or(breaks_run) as breaks_run, bool_or(changes_state) as changes_state,
      bool_or(crosses_edge) as crosses_edge, sum(counted_ms) as counted_ms
    from explained_steps
    group by event_no
  ),
  standing as (
    select
      e.*, s.breaks_run, s.changes_state, s.crosses_edge,
      e.tau_ms is not null and not e.owned_by_day and not coalesce(s.crosses_edge, true)
        and coalesce(s.counted_ms, 0) = 0 as is_outside,
      bool_or(e.owned_by_day or coalesce(s.crosses_edge, false) or coalesce(s.counted_ms, 0) > 0) over (
        partition by e.session_id
      ) as is_of_day,
      coalesce(s.changes_state, false) and e.time_ms < w.start_ms as may_hold
    from explained_events e
    left join stepped s on s.event_no = e.event_no
    cross join day_windows w
  ),
  marked as (
    select
      e.place, e.event_no, e.event_type, e.tau_ms, e.sequence, e.is_outside,
      e.tau_ms is null
        or lag(e.tau_ms) over listed is null
        or e.is_outside is distinct from lag(e.is_outside) over listed
        or e.session_id is distinct from lag(e.session_id) over listed
        or e.user_id is distinct from lag(e.user_id) over listed
        or e.device_id is distinct from lag(e.device_id) over listed
        or (coalesce(e.changes_state, true) and not e.is_outside)
        or (e.is_of_day and e.may_hold and e.place = max(case when e.may_hold then e.place end) over (
          partition by e.session_id
        ))
        or (not e.is_outside and (
          coalesce(e.breaks_run, true) or coalesce(e.crosses_edge, true) or e.tau_ms < e.server_ms
          or ${KIND_OF_TYPE} is distinct from lag(${KIND_OF_TYPE}) over listed
          or e.owned_by_day is distinct from lag(e.owned_by_day) over listed
        ))
        as begins_run
    from standing e
    window listed as (order by e.place)
  ),
  numbered as (select *, sum(case when begins_run then 1 else 0 end) over (order by place) as run_no from marked)
  select
    place, event_no, event_type, run_no, tau_ms, sequence, is_outside,
    row_number() over (partition by run_no order by place) as in_run,
    count(*) over (partition by run_no) as run_size,
    tau_ms - lag(tau_ms) over (partition by run_no order by place) as step_ms
  from numbered`;

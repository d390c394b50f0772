/** Event types by number, as `drafts` and `events` hold them; 12 and above are types that nobody declared. */
export const TYPE_NAMES = [
  "SESSION_START",
  "HEARTBEAT",
  "APP_FOREGROUND",
  "APP_BACKGROUND",
  "USER_ACTIVE",
  "USER_IDLE",
  "SESSION_CLOSE",
  "LOGOUT",
  "LIVE_ENTER",
  "LIVE_LEAVE",
  "SERVER_TIMEOUT",
  "PAGE_VIEW",
  "PUSH_OPENED",
  "SCREEN_LOCK",
] as const;

/**
 * `parts`: each session of the day from part to part, in ms since its start. mood 0: in front of it and doing something,
 * 1: idle, 2: in the background. told_ms: when the client tells of the change.
 */
export const PARTS_SQL = `create or replace table parts as
  with weighed as (
    select session_no, part, length_ms, parts, forgotten,
      case when part % 2 = 0 then 0 when forgotten or draw2(session_no, part, 40, 100) < 55 then 1 else 2 end as wish,
      case when forgotten then 1 + part * 60 else 8 + draw2(session_no, part, 41, 256) * draw2(session_no, part, 41, 256) // 512
        * case when part % 2 = 0 then 3 else 2 end end as weight
    from (select session_no, length_ms, parts, forgotten, unnest(range(parts)) as part from sessions_of_day)
  ),
  summed as (
    select *, sum(weight) over (partition by session_no order by part) as upto,
      sum(weight) over (partition by session_no) as whole
    from weighed
  ),
  cut as (
    select session_no, part, parts, wish,
      cast((upto - weight) * length_ms // whole as bigint) as from_ms, cast(upto * length_ms // whole as bigint) as to_ms
    from summed
  ),
  -- Who is back within a minute was never seen as idle.
  felt as (
    select *, case when wish = 1 and to_ms - from_ms <= 61000 then 0 else wish end as mood from cut
  ),
  told as (
    select session_no, part, parts, from_ms, to_ms, mood,
      lag(mood) over (partition by session_no order by part) as mood_before,
      from_ms + case when mood = 1 then 60000 else 0 end as told_ms
    from felt
  ),
  choices as (
    select session_no, 2 * draw(session_no, 42, (parts + 1) // 2) as enter_part, parts
    from sessions_of_day where watches
  ),
  watched as (
    select c.session_no,
      max(case when t.part = c.enter_part and t.to_ms - t.from_ms > 5000 then t.from_ms + 2000 end) as live_from,
      max(case when t.part = c.enter_part + 2 * draw(c.session_no, 43, (c.parts - 1 - c.enter_part) // 2 + 1)
        then greatest(t.from_ms, t.to_ms - 1000) end) as live_to
    from choices c join told t on t.session_no = c.session_no
    group by c.session_no
  )
  select t.*, s.length_ms, s.beat_ms, s.break_from, s.break_to, s.break_kind, s.ending,
    case when w.live_from is not null then w.live_from end as live_from,
    case when w.live_from is not null then w.live_to end as live_to
  from told t
  join sessions_of_day s on s.session_no = t.session_no
  left join watched w on w.session_no = t.session_no`;

// The client numbers what it sends in the order in which it happens. So an event's sequence is one plus the beats, changes of
// mood, live events and reconnects up to it: counted, not sorted. Numbers left out are no harm.
const LIVE_BEFORE = (at: string, orAt = "") =>
  `case when live_from is null then 0 else cast(${at} >${orAt} live_from as int) + cast(${at} >${orAt} live_to as int) end`;
const JOINED_BEFORE = (at: string, orAt = "") =>
  `case when break_kind in (1, 2) then cast(${at} >${orAt} break_to as int) else 0 end`;
const BEATS_BEFORE = (at: string) => `greatest(0, (${at} - 1) // beat_ms)`;

/** `drafts`: what the clients mean to send, at_ms since the start of the session. */
export const DRAFTS_SQL = `create or replace table drafts as
  with changes as (
    select *, case when part = 0 then 1
      when mood = 0 then case mood_before when 1 then 5 when 2 then 3 end
      when mood = 1 then 6 else 4 end as type
    from parts
  ),
  -- A beat that falls on the very end is the close.
  beats as (
    select *, beat * beat_ms as at_ms
    from (
      select *, unnest(range(greatest(1, (from_ms + beat_ms - 1) // beat_ms), (to_ms + beat_ms - 1) // beat_ms)) as beat
      from parts
    )
  )
  select session_no, told_ms as at_ms, cast(type as tinyint) as type, cast(mood as tinyint) as mood,
    case when mood = 0 then told_ms else from_ms end as last_ms,
    1 + ${BEATS_BEFORE("told_ms")} + part + ${LIVE_BEFORE("told_ms")} + ${JOINED_BEFORE("told_ms")} as sequence
  from changes where type is not null
  union all
  select session_no, at_ms, 2, mood,
    case when mood = 0 then greatest(from_ms, at_ms - draw2(session_no, at_ms, 50, 15000)) else from_ms end,
    1 + beat + part - cast(at_ms < told_ms as int) + ${LIVE_BEFORE("at_ms", "=")} + ${JOINED_BEFORE("at_ms", "=")}
  from beats
  union all
  select session_no, break_to, 2, mood, case when mood = 0 then break_to else from_ms end,
    2 + ${BEATS_BEFORE("break_to")} + part - cast(break_to < told_ms as int) + ${LIVE_BEFORE("break_to", "=")}
  from parts where break_kind in (1, 2) and break_to >= from_ms and break_to < to_ms
  union all
  select session_no, live_from, 9, mood, live_from,
    2 + ${BEATS_BEFORE("live_from")} + part + ${JOINED_BEFORE("live_from")}
  from parts where live_from >= from_ms and live_from < to_ms
  union all
  select session_no, live_to, 10, mood, live_to,
    3 + ${BEATS_BEFORE("live_to")} + part + ${JOINED_BEFORE("live_to")}
  from parts where live_to >= from_ms and live_to < to_ms
  union all
  select session_no, length_ms, ending, mood, case when mood = 0 then length_ms else from_ms end,
    1 + ${BEATS_BEFORE("length_ms")} + parts + ${LIVE_BEFORE("length_ms")} + ${JOINED_BEFORE("length_ms")}
  from parts where part = parts - 1 and ending > 0`;

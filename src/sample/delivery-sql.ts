/**
 * From what clients mean to send to what the server receives: loss, delay, retries, broken connections, and a small share of
 * everything that rules R3 to R12 name. `u`, in a million, decides which anomaly an event meets, if any; `flaw` is then
 * applied where the lake's row is written.
 */
export const FLAW = {
  none: 0,
  noEventId: 1,
  noUser: 2,
  noSession: 3,
  noType: 4,
  noServerTime: 5,
  noSequence: 6,
  negativeSequence: 7,
  ancientTime: 8,
  otherHour: 9,
  otherUser: 10,
  otherDevice: 11,
  jump: 12,
  lostCounter: 13,
  otherSequence: 14,
} as const;

const within = (from: number, to: number): string => `u >= ${from} and u < ${to}`;

// Of a million events. Not on the list: all the rest arrive as they are.
const LOST = within(0, 6_000);
const REORDERED = within(6_000, 8_500);
const LATE = within(8_500, 8_900);
const RETRIED = within(9_000, 14_500);
const RENUMBERED = within(13_700, 14_500);
const REUSED_ID = within(14_500, 14_560);
const BAD_FIELD = within(14_600, 14_680);
const BAD_VALUE = within(14_700, 14_740);
const EXTRA_TYPE = within(14_750, 14_900);
const OTHER_HOUR = within(14_900, 14_930);
const OTHER_USER = within(14_950, 14_990);
const OTHER_DEVICE = within(15_000, 15_050);
const EARLY_TIMEOUT = within(15_100, 15_160);
const JUMP = within(15_200, 15_225);

/** Adds to `events` what arrives of `drafts`. The event id is made of session_no and id_key. */
export const DELIVERY_SQL = `
  with joined as (
    select d.*, s.start_ms, s.length_ms, s.break_kind, s.break_from, s.break_to, s.client_type,
      case when s.break_kind in (1, 2) then cast(d.at_ms >= s.break_to as int)
        when s.break_kind = 4 then d.at_ms // s.switch_ms else 0 end as epoch,
      coalesce(s.break_kind > 0 and d.at_ms >= s.break_from and d.at_ms < s.break_to, false) as cut_off,
      draw2(d.session_no, d.sequence, 60, 1000000) as u,
      draw2(d.session_no, d.sequence, 61, 1048576) as r
    from drafts d join sessions s on s.session_no = d.session_no
  ),
  sent as (
    select *,
      -- Most take some ten ms, a few a second; phones are slower.
      18 + (r & 1023) * (r & 1023) * (r & 1023) // case when client_type in ('ios', 'android') then 1100000 else 4000000 end
      + case
          when cut_off and break_kind = 3 then break_to - at_ms + 300 + (at_ms - break_from) // 50
          when cut_off then break_to - at_ms + 500 + (r >> 8) % 4000
          when ${REORDERED} then 700 + (r >> 8) * (r >> 8) // 150
          when type = 2 and ${LATE} then 605000 + (r >> 8) * 500
          else 0 end as delay_ms
    from joined
    where not (type = 2 and ${LOST} and not cut_off)
      and not (cut_off and (break_kind = 1 or (break_kind = 2 and at_ms >= break_from + 70000)))
  )
  select session_no, sequence * 8 as id_key, sequence, cast(epoch as integer) as epoch, type, mood, at_ms, last_ms,
    start_ms + at_ms + delay_ms as arrival_ms, cast(u as integer) as u,
    cast(case
      when ${BAD_FIELD} then 1 + u % 6
      when ${BAD_VALUE} then 7 + u % 2
      when ${OTHER_HOUR} then ${FLAW.otherHour}
      when ${OTHER_USER} then ${FLAW.otherUser}
      when ${OTHER_DEVICE} then ${FLAW.otherDevice}
      when type = 2 and ${JUMP} then ${FLAW.jump}
      when type in (7, 8) and r % 1000 < 6 then ${FLAW.lostCounter}
      else 0 end as tinyint) as flaw
  from sent`;

/** Adds to `events` what arrives besides: retries, reused ids, types that nobody knows, timers that fired too early. */
export const COPIES_SQL = `
  select session_no, id_key + case when ${RENUMBERED} then 1 else 0 end as id_key, sequence, epoch, type, mood, at_ms, last_ms,
    arrival_ms + 150 + draw2(session_no, sequence, 62, case when u % 40 = 0 then 900000 else 8000 end) as arrival_ms,
    u, cast(0 as tinyint) as flaw
  from fresh_events where ${RETRIED}
  union all
  select session_no, id_key, sequence, epoch, type, mood, at_ms, last_ms,
    arrival_ms + 1000 + draw2(session_no, sequence, 63, 20000), u, ${FLAW.otherSequence}
  from fresh_events where ${REUSED_ID}
  union all
  select session_no, id_key + 2, sequence, epoch, 12 + u % 3, mood, at_ms, last_ms, arrival_ms + 5, u, 0
  from fresh_events where ${EXTRA_TYPE}
  union all
  select session_no, id_key + 3, null, epoch, 11, mood, at_ms, null,
    arrival_ms + 2000 + draw2(session_no, sequence, 64, 60000), u, 0
  from fresh_events where type = 2 and ${EARLY_TIMEOUT}
  union all
  -- The timer of the app was not stopped by the close.
  select session_no, id_key + 4, sequence + 1, epoch, 2, mood, at_ms + 900, last_ms,
    arrival_ms + 900 + draw2(session_no, sequence, 65, 25000), u, 0
  from fresh_events where type = 7 and flaw = 0 and draw2(session_no, sequence, 66, 1000) < 15`;

/** Adds to `events` what the server's timeout job writes, ninety seconds or more after it last heard of a connection. */
export const TIMEOUTS_SQL = `
  with silent as (
    -- Of every four sessions without a close the job misses one; of ten it is late for one.
    select session_no, 5 as id_key, length_ms as at_ms,
      case when break_kind in (1, 2) then 1 when break_kind = 4 then (length_ms - 1) // switch_ms else 0 end as epoch,
      start_ms + length_ms + 93000 + draw(session_no, 70, 15000)
        + case when draw(session_no, 71, 10) = 0 then 600000 + draw(session_no, 72, 2100000) else 0 end as arrival_ms
    from sessions_of_day where ending = 0 and draw(session_no, 73, 4) > 0
    union all
    select session_no, 6, break_from, 0, start_ms + break_from + 93000 + draw(session_no, 74, 15000)
    from sessions_of_day where break_to - break_from > 110000 and draw(session_no, 75, 10) < 7
  )
  select session_no, id_key, cast(null as bigint) as sequence, cast(epoch as integer) as epoch, cast(11 as tinyint) as type,
    cast(2 as tinyint) as mood, at_ms, cast(null as bigint) as last_ms, arrival_ms, 0 as u, cast(0 as tinyint) as flaw
  from silent`;

import { FLAW } from "./delivery-sql.ts";
import { TYPE_NAMES } from "./events-sql.ts";

const HOUR = 3_600_000;

const time = (ms: string) => `cast(make_timestamp_ms(${ms}) as timestamp_ms)`;
const flaw = (name: keyof typeof FLAW) => `e.flaw = ${FLAW[name]}`;

/** How many columns of a lake file are times. */
export const LAKE_TIMES = 3;

/** The rows of one lake file: what arrived within an hour, in the order of arrival. Times are local until declared UTC. */
export function lakeRowsSql(hourMs: number): string {
  const clientMs = "s.start_ms + e.at_ms + s.skew_ms + e.at_ms * s.drift_ppm // 1000000";
  const lastMs = "s.start_ms + e.last_ms + s.skew_ms + e.last_ms * s.drift_ppm // 1000000";
  return `
  select
    case when not ${flaw("noEventId")} then as_uuid(e.session_no, e.id_key) end as event_id,
    case when ${flaw("noUser")} then '' when ${flaw("otherUser")}
      then 'u' || lpad(cast(s.user_no % 7919 + 1 + cast(s.user_no % 7919 + 1 = s.user_no as int) as varchar), 8, '0')
      else s.user_id end as user_id,
    case when not ${flaw("noSession")} then s.session_id end as session_id,
    case when not ${flaw("noType")} then ${typeName("e.type")} end as event_type,
    ${time(`case when ${flaw("noServerTime")} then null when ${flaw("ancientTime")} then e.arrival_ms % 86400000
      when ${flaw("otherHour")} then e.arrival_ms - ${3 * HOUR} else e.arrival_ms end`)} as server_time,
    case when ${flaw("noSequence")} and e.type <> 11 then null when ${flaw("negativeSequence")} then -1
      when ${flaw("jump")} then e.sequence + 4000000000 when ${flaw("lostCounter")} then 0
      when ${flaw("otherSequence")} then e.sequence + 1 else e.sequence end as sequence,
    e.epoch as session_epoch,
    case when ${flaw("otherDevice")} and s.device_id is not null then 'd-' || hex_id(e.session_no, 80)
      else s.device_id end as device_id,
    s.client_type, s.channel, s.app_version, s.region,
    ${time(`case when e.type <> 11 then ${clientMs} end`)} as client_time,
    ${time(`case when not s.legacy and e.type <> 11 then ${lastMs} end`)} as last_active_at,
    case when e.type in (1, 2) then e.mood < 2 end as foreground,
    case when e.type = 2 and not s.legacy then e.mood = 0 end as active
  from events e join sessions s on s.session_no = e.session_no
  where e.arrival_ms >= ${hourMs} and e.arrival_ms < ${hourMs + HOUR}
  order by e.arrival_ms, e.session_no, e.id_key`;
}

function typeName(type: string): string {
  return `[${TYPE_NAMES.map((name) => `'${name}'`).join(", ")}][${type}]`;
}

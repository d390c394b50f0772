import type { SampleDay, UserChunk } from "./sample-plan.ts";

/** Share of the day's sessions that start in each local hour: office people, evening people, night owls, weekenders. */
const WORKING = [1, 1, 0, 0, 0, 1, 4, 9, 16, 18, 17, 16, 20, 17, 16, 16, 15, 14, 13, 14, 15, 13, 8, 3];
const EVENING = [3, 1, 1, 0, 0, 1, 3, 5, 5, 5, 5, 6, 10, 8, 6, 6, 8, 12, 18, 25, 30, 28, 18, 8];
const NIGHT = [24, 20, 15, 10, 6, 3, 2, 2, 3, 4, 5, 6, 8, 8, 8, 8, 9, 10, 12, 14, 17, 20, 24, 26];
const LEISURE = [5, 3, 2, 1, 1, 1, 2, 4, 8, 13, 17, 18, 17, 17, 18, 18, 17, 17, 18, 20, 22, 20, 14, 8];

interface Rhythm {
  readonly share: number;
  /** Of a thousand days, those with any session. */
  readonly presence: { readonly weekday: number; readonly weekend: number };
  readonly hours: { readonly weekday: readonly number[]; readonly weekend: readonly number[] };
}

const RHYTHMS: readonly Rhythm[] = [
  { share: 38, presence: { weekday: 940, weekend: 380 }, hours: { weekday: WORKING, weekend: LEISURE } },
  { share: 40, presence: { weekday: 860, weekend: 900 }, hours: { weekday: EVENING, weekend: LEISURE } },
  { share: 10, presence: { weekday: 820, weekend: 860 }, hours: { weekday: NIGHT, weekend: NIGHT } },
  { share: 12, presence: { weekday: 350, weekend: 930 }, hours: { weekday: EVENING, weekend: LEISURE } },
];

/** `rhythms(rhythm, weekend, presence, hour, from_u, to_u)`: an hour's part of [0, 65536). */
export function rhythmsSql(): string {
  const rows = RHYTHMS.flatMap(({ presence, hours }, rhythm) =>
    (["weekday", "weekend"] as const).flatMap((kind) => {
      const weights = hours[kind];
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      let sum = 0;
      return weights.map((weight, hour) => {
        const from = Math.floor((sum * 65_536) / total);
        sum += weight;
        const to = Math.floor((sum * 65_536) / total);
        return `(${rhythm}, ${kind === "weekend"}, ${presence[kind]}, ${hour}, ${from}, ${to})`;
      });
    }),
  );
  return `create table rhythms as
    from (values ${rows.join(", ")}) as r(rhythm, weekend, presence, hour, from_u, to_u)`;
}

const rhythmOf = (u: string): string => {
  let sum = 0;
  const cases = RHYTHMS.map(({ share }, rhythm) => {
    sum += share;
    return `when ${u} < ${sum} then ${rhythm}`;
  });
  return `case ${cases.join(" ")} end`;
};

/** `people`: the users of a chunk. */
export function peopleSql({ firstUser, lastUser }: UserChunk): string {
  return `create or replace table people as
    select
      user_no,
      'u' || lpad(cast(user_no as varchar), 8, '0') as user_id,
      ${rhythmOf("draw(user_no, 1, 100)")} as rhythm,
      case when draw(user_no, 2, 100) < 55 then 1 when draw(user_no, 2, 100) < 88 then 2 else 3 end as devices,
      spread(draw(user_no, 3, 65536), [40, 60, 80, 95, 110, 140, 220]) as keenness,
      case when draw(user_no, 4, 100) < 2 then null
        else ['north', 'south', 'east', 'west', 'centre', 'abroad'][1 + spread(draw(user_no, 4, 65536), [0, 1, 2, 3, 6])]
      end as region
    from (select unnest(range(${firstUser}, ${lastUser + 1})) as user_no)`;
}

/** `gadgets`: what the users of a chunk hold in their hands, and how wrong its clock is. */
export const GADGETS_SQL = `create or replace table gadgets as
  with held as (
    select user_no, device, user_no * 4 + device as gadget, draw(user_no * 4 + device, 10, 100) as u
    from (select user_no, unnest(range(devices)) as device from people)
  ),
  typed as (
    select *,
      case device
        when 0 then case when u < 46 then 'android' when u < 82 then 'ios' else 'web' end
        when 1 then case when u < 62 then 'web' when u < 90 then 'desktop' else 'android' end
        else case when u < 40 then 'tv' when u < 75 then 'web' else 'ios' end
      end as client_type
    from held
  )
  select
    user_no, device, gadget, client_type,
    -- A private window has no device.
    case when client_type = 'web' and draw(gadget, 11, 100) < 4 then null
      else 'd-' || hex_id(gadget, 19) end as device_id,
    case client_type
      when 'ios' then 'appstore'
      when 'android' then ['googleplay', 'googleplay', 'googleplay', 'googleplay', 'galaxy', 'galaxy', 'sideload'][1 + draw(gadget, 12, 7)]
      when 'tv' then 'preinstalled'
      else ['direct', 'direct', 'search', 'partner', 'campaign'][1 + draw(gadget, 12, 5)] end as channel,
    -- Old versions neither say when the user last did something nor whether someone is active.
    draw(gadget, 13, 100) < 8 as legacy,
    draw(gadget, 14, 100) as upgrade_lag,
    case
      when draw(gadget, 15, 1000) < 15 then null
      when draw(gadget, 15, 1000) < 800 then draw(gadget, 16, 3000) - 1500
      when draw(gadget, 15, 1000) < 950 then draw(gadget, 16, 120000) - 60000
      when draw(gadget, 15, 1000) < 990 then draw(gadget, 16, 1200000) - 600000
      when draw(gadget, 15, 1000) < 998 then (draw(gadget, 16, 25) - 12) * 3600000
      else -1700000000000
    end as skew_ms,
    case when draw(gadget, 17, 100) < 95 then draw(gadget, 18, 101) - 50 else draw(gadget, 18, 1001) - 500 end as drift_ppm
  from typed`;

/** The sessions that start on a day, added to `sessions`. */
export function sessionsSql(day: SampleDay, reach: { startMs: number; endMs: number }): string {
  return `
  with visits as (
    select p.*, spread(draw2(p.user_no, ${day.dayNo}, 20, 65536), [1, 1, 2, 2, 3, 4, 6, 10]) as visits
    from people p
    join (select distinct rhythm, presence from rhythms where weekend = ${day.weekend}) r on r.rhythm = p.rhythm
    where draw2(p.user_no, ${day.dayNo}, 21, 1000) < r.presence
  ),
  -- The last slot is for screens that nobody turns off.
  slots as (
    select * exclude (visits), unnest(range(visits)) as slot from visits
    union all
    select *, 15 as slot from people where draw2(user_no, ${day.dayNo}, 22, 2500) = 0
  ),
  numbered as (
    select *, (user_no * 65536 + ${day.dayNo}) * 16 + slot as session_no from slots
  ),
  -- A tab is opened while the session before is on, on the same device.
  keyed as (
    select *, case when slot between 1 and 14 and draw(session_no, 23, 100) < 18 then session_no - 1 else session_no end as base
    from numbered
  ),
  placed as (
    select
      k.*,
      ${day.startMs} + ((r.hour * 3600000 + draw(k.base, 25, 3600000)) * ${day.endMs - day.startMs}) // 86400000
        + case when k.base < k.session_no then draw(k.session_no, 26, 600000) else 0 end as start_ms,
      case when k.slot = 15 then 90000000 + draw(k.session_no, 27, 50000000)
        else least(43200000, greatest(1500, k.keenness * spread(draw(k.session_no, 27, 65536),
          [20, 400, 1200, 3000, 6000, 11000, 18000, 30000, 51000, 98000, 360000])
          // case when k.base < k.session_no then 2 else 1 end)) end as length_ms,
      case when draw(k.base, 28, 100) < 62 then 0 else draw(k.base, 29, k.devices) end as device
    from keyed k
    join rhythms r on r.rhythm = k.rhythm and r.weekend = ${day.weekend}
      and draw(k.base, 24, 65536) >= r.from_u and draw(k.base, 24, 65536) < r.to_u
  ),
  lived as (
    select p.*, g.* exclude (user_no, device), draw(p.session_no, 30, 1000) as break_u
    from placed p join gadgets g on g.user_no = p.user_no and g.device = p.device
    where p.start_ms + p.length_ms > ${reach.startMs} and p.start_ms < ${reach.endMs}
  ),
  broken as (
    select *,
      -- 0 none; 1 what was sent meanwhile is lost; 2 some of it arrives after the reconnect; 3 it is kept and uploaded later
      -- on the same connection; 4 the network changes again and again without loss.
      case when length_ms < 240000 then 0
        when client_type in ('web', 'desktop', 'tv')
          then case when break_u < 40 then 1 when break_u < 65 then 2 when break_u < 90 then 3 else 0 end
        else case when break_u < 90 then 1 when break_u < 150 then 2 when break_u < 220 then 3 when break_u < 300 then 4 else 0 end
      end as break_kind,
      45000 + draw(session_no, 31, greatest(1, length_ms - 240000)) as break_from,
      spread(draw(session_no, 32, 65536),
        [2000, 5000, 12000, 30000, 70000, 100000, 150000, 300000, 700000, 1800000, 7200000]) as break_ms
    from lived
  )
  select
    session_no, user_no, ${day.dayNo} as day_no, user_id, hex_id(session_no, 39) as session_id,
    device_id, client_type, channel,
    '5.' || cast((${day.dayNo} * 2 - upgrade_lag * upgrade_lag // 40) // 28 % 40 as varchar)
      || '.' || cast(upgrade_lag % 3 as varchar) as app_version,
    region, legacy, skew_ms, drift_ppm, start_ms, length_ms,
    slot = 15 as forgotten,
    29960 + draw(session_no, 33, 120) + case when draw(gadget, 34, 20) = 0 then 600 else 0 end as beat_ms,
    case when slot = 15 then 2
      else least(80, 1 + (length_ms * (20 + draw(session_no, 35, 80))) // 30000000) end as parts,
    case when draw(session_no, 36, 100) < 58 then 7 when draw(session_no, 36, 100) < 64 then 8 else 0 end as ending,
    draw(session_no, 37, 100) < case client_type when 'tv' then 60 when 'desktop' then 8 else 17 end as watches,
    break_kind,
    case when break_kind in (1, 2, 3) then break_from end as break_from,
    case when break_kind in (1, 2, 3) then least(break_from + break_ms, length_ms - 1000) end as break_to,
    case when break_kind = 4 then 400000 + draw(session_no, 38, 1200000) end as switch_ms
  from broken`;
}

import type { SampleDay } from "./sample-plan.ts";

/** Adds to `truth_spans` when people really were there: before any loss, delay or anomaly. Offline with the app open is there. */
export const TRUTH_SPANS_SQL = `
  select user_no, 'connected' as what, start_ms as from_ms, start_ms + length_ms as to_ms from sessions_of_day
  union all
  select s.user_no, w.what, s.start_ms + p.from_ms, s.start_ms + p.to_ms
  from parts p join sessions_of_day s on s.session_no = p.session_no
  join (values ('foreground', 1), ('active', 0)) w(what, most) on p.mood <= w.most
  union all
  select s.user_no, 'live', s.start_ms + greatest(p.from_ms, p.live_from), s.start_ms + least(p.to_ms, p.live_to)
  from parts p join sessions_of_day s on s.session_no = p.session_no
  where p.mood < 2 and p.from_ms < p.live_to and p.to_ms > p.live_from`;

/** Adds to `truth` the people's time on a day: the union over all that they hold in their hands. */
export function truthSql({ day, startMs, endMs }: SampleDay): string {
  return `
  with clipped as (
    select user_no, what, greatest(from_ms, ${startMs}) as from_ms, least(to_ms, ${endMs}) as to_ms
    from truth_spans where from_ms < ${endMs} and to_ms > ${startMs}
  ),
  reached as (
    select *, max(to_ms) over (partition by user_no, what order by from_ms, to_ms
      rows between unbounded preceding and 1 preceding) as reached_ms
    from clipped
  ),
  -- What each span adds to those before it.
  added as (
    select user_no, what, greatest(0, to_ms - greatest(from_ms, coalesce(reached_ms, from_ms))) as ms from reached
  )
  select '${day}' as day, user_no, 'u' || lpad(cast(user_no as varchar), 8, '0') as user_id,
    ${["connected", "foreground", "active", "live"].map(sumOf).join(", ")}
  from added group by user_no`;
}

const sumOf = (what: string) =>
  `cast(coalesce(sum(case when what = '${what}' then ms end), 0) as bigint) as ${what}_ms`;

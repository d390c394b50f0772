import { POINTS_OF_SIGNALS } from "../../src/pipeline/every-event.ts";

const replacing =
  (text: string, other: string) =>
  (select: string): string => {
    if (!select.includes(text)) throw new Error(`there is no "${text}" any more in: ${select.slice(0, 60)}`);
    return select.replaceAll(text, other);
  };

/** For each shortcut of the SQL, by the relation that decides who takes it: the SELECT that sends everything the long way. */
export const LONG_WAYS: Readonly<Record<string, (select: string) => string>> = {
  ...POINTS_OF_SIGNALS,
  repeating_events: (select) =>
    replacing("where c.events > 1", "where c.events > 0")(replacing(" < count(*)", " <= count(*)")(select)),
  claimed_sessions: replacing(
    "having count(distinct i.user_no) > 1 or count(distinct i.device_no) > 1",
    "having count(*) > 0",
  ),
  fences: replacing("f.last_ms >= f.fence_ms as is_crossed", "true as is_crossed"),
  crowded_epochs: replacing("having count(*) > 64", "having count(*) > 0"),
  suspect_epochs: replacing("where l.follows_closer", "where l.next_ms is null or l.next_ms is not null"),
  summary_spans: (select) =>
    replacing(
      "v.first_no = v.last_no",
      "v.first_no < v.first_no",
    )(replacing("v.first_no < v.last_no", "v.first_no <= v.last_no")(select)),
  summary_peaks: replacing("b.users_before + b.come >= r.users", "b.come >= 0"),
};

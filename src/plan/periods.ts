import { DateTime } from "luxon";
import { usageError } from "../errors.ts";
import { addDays, type DayRequest, dateAt, resolveDays } from "./days.ts";

/** Which period a command was asked for, as it was asked: it may still be `last`. */
export type PeriodRequest =
  | { readonly kind: "week"; readonly week: string }
  | { readonly kind: "month"; readonly month: string }
  | { readonly kind: "days"; readonly days: DayRequest };

/** Business days that are taken together. Weeks and months have a name of their own and may be published; a range may not. */
export interface Period {
  readonly kind: "week" | "month" | "range";
  /** `2026-W31`, `2026-07`, or `2026-07-01..2026-07-10`. */
  readonly name: string;
  /** In order. */
  readonly days: readonly string[];
}

const WEEK = /^\d{4}-W\d{2}$/;
const MONTH = /^\d{4}-\d{2}$/;

/** Whether a text has the shape of a week's or a month's name. */
export const isPeriodName = (name: string): boolean => WEEK.test(name) || MONTH.test(name);

/** The week or month of a name. Anything else, also a 53rd week of a year that has none, is a usage error. */
export function namedPeriod(name: string): Period {
  const start = DateTime.fromISO(WEEK.test(name) ? `${name}-1` : MONTH.test(name) ? `${name}-01` : "", { zone: "utc" });
  if (!start.isValid || start.year < 2000 || start.year > 2099) {
    throw usageError(
      `${JSON.stringify(name)} is no week or month`,
      "write 2026-W31 (ISO weeks begin on Monday), 2026-07, or last",
    );
  }
  const kind = WEEK.test(name) ? "week" : "month";
  const count = kind === "week" ? 7 : start.daysInMonth!;
  return { kind, name, days: Array.from({ length: count }, (_, i) => addDays(start.toISODate()!, i)) };
}

/** The period of a request; `last` is the last week or month that is over by the zone's calendar. */
export function resolvePeriod(request: PeriodRequest, zone: string, nowMs: number): Period {
  const today = dateAt(zone, nowMs);
  switch (request.kind) {
    case "week":
      return named("week", request.week === "last" ? weekOf(addDays(today, -7)) : request.week);
    case "month":
      return named("month", request.month === "last" ? monthOf(addDays(`${monthOf(today)}-01`, -1)) : request.month);
    case "days": {
      const days = resolveDays(request.days, zone, nowMs);
      return { kind: "range", name: `${days[0]}..${days.at(-1)}`, days };
    }
  }
}

function named(kind: "week" | "month", name: string): Period {
  const period = namedPeriod(name);
  if (period.kind === kind) return period;
  throw usageError(`${name} is a ${period.kind}, no ${kind}`, `give it as --${period.kind}`);
}

/** The ISO week of a date. */
export function weekOf(day: string): string {
  const { weekYear, weekNumber } = DateTime.fromISO(day, { zone: "utc" });
  return `${weekYear}-W${String(weekNumber).padStart(2, "0")}`;
}

/** The month of a date. */
export const monthOf = (day: string): string => day.slice(0, 7);

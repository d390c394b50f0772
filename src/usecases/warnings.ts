import type { Oddity } from "../lake/listing.ts";
import type { EventCounts } from "../pipeline/read-counts.ts";
import type { CountedDay } from "./count-day.ts";

/** Share of quarantined events from which on a day is warned of, reason by reason. */
const NOTABLE_SHARE = 0.01;
const ODDITIES_SHOWN = 10;

/** Quarantined events among those that the day owns, 0 to 1. */
export function quarantinedShare({ owned, accepted }: EventCounts): number {
  return owned === 0 ? 0 : (owned - accepted) / owned;
}

/** What of a day's result deserves a look, a line each. */
export function dayWarnings(day: string, { events, damaged }: CountedDay, because: readonly string[]): string[] {
  const share = (count: number) => `${((count / events.owned) * 100).toFixed(2)} %`;
  const quarantined = quarantinedShare(events);
  return [
    ...because.map((reason) => `${day} is incomplete: ${reason}`),
    ...(quarantined > NOTABLE_SHARE
      ? Object.entries(events.quarantined).map(
          ([reason, count]) => `${day}: ${share(count)} of its events quarantined as ${reason} (${count})`,
        )
      : []),
    ...Object.entries(events.unreadOptional).map(
      ([column, count]) => `${day}: ${count} events have a ${column} that cannot be read; it counts as null`,
    ),
    ...(damaged.sessions > 0
      ? [
          `${day}: ${damaged.sessions} sessions lost more than half of their client events to identity and order rules, ` +
            `such as ${damaged.examples.map(({ sessionId }) => sessionId).join(", ")}`,
        ]
      : []),
  ];
}

/** What lies in the lake without being data. */
export function oddityWarnings(oddities: readonly Oddity[]): string[] {
  const shown = oddities.slice(0, ODDITIES_SHOWN).map(({ path, reason }) => `not read: ${path} (${reason})`);
  const more = oddities.length - shown.length;
  return more > 0 ? [...shown, `not read: ${more} more such entries`] : shown;
}

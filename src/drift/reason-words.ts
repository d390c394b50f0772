import type { ReasonId } from "./reasons.ts";
import { clock, count } from "./words.ts";

/** What the sentences name besides their figures. */
export interface SaidOf {
  readonly zone: string;
  readonly gapMaxMs: number;
  readonly heartbeatMs: number | null;
}

/** `adds 0:12:30: 25 copies of events counted once more, 0:00:30 each`. */
export function reasonSays(reason: ReasonId, effectMs: number, items: number | null, of: SaidOf): string {
  const does = `${effectMs < 0 ? "takes away" : "adds"} ${clock(Math.abs(effectMs))}`;
  return `${does}: ${WHAT[reason](items ?? 0, Math.abs(effectMs), of)}`;
}

const many = (items: number, one: string, more = `${one}s`): string => `${count(items)} ${items === 1 ? one : more}`;

const each = (items: number, ms: number): string => (items === 0 ? "" : `, ${clock(Math.round(ms / items))} each`);

const WHAT: Readonly<Record<ReasonId, (items: number, ms: number, of: SaidOf) => string>> = {
  "duplicates-kept": (items, ms) => `${many(items, "retry", "retries")} counted once more${each(items, ms)}`,
  "arrival-order": (items) => `order of arrival instead of sequence, with ${many(items, "event")} out of order`,
  "stale-epochs-counted": (items) => `${many(items, "event")} of connections that a newer one had taken over`,
  "gaps-uncapped": (items, _, { gapMaxMs }) => `${many(items, "silence")} above ${clock(gapMaxMs)} counted in full`,
  "login-to-logout": (items) => `from the first to the last event of ${many(items, "session")}, silences and all`,
  "sessions-summed": (items) => `${many(items, "session")} summed instead of united`,
  "devices-summed": (items) => `${many(items, "device")} summed instead of united`,
  "client-time-trusted": (items) => `${many(items, "event")} taken at their client_time`,
  "fixed-time-per-heartbeat": (items, _, { heartbeatMs }) =>
    `${many(items, "heartbeat")} counted ${clock(heartbeatMs ?? 0)} each`,
  "utc-day": (_, __, { zone }) => `the day cut in UTC instead of ${zone}`,
  "late-events-missing": (items) => `${many(items, "event")} that arrived after a later one left out`,
  "states-ignored": () => "all connected time, whatever the state",
};

const NAMES: Readonly<Record<ReasonId, string>> = {
  "duplicates-kept": "duplicates kept",
  "arrival-order": "arrival order instead of sequence",
  "stale-epochs-counted": "stale epochs counted",
  "gaps-uncapped": "gaps uncapped",
  "login-to-logout": "login to logout",
  "sessions-summed": "sessions summed instead of united",
  "devices-summed": "devices summed instead of united",
  "client-time-trusted": "client time trusted",
  "fixed-time-per-heartbeat": "fixed time per heartbeat",
  "utc-day": "day cut in UTC",
  "late-events-missing": "late events missing",
  "states-ignored": "states ignored",
};

export const reasonName = (reason: ReasonId): string => NAMES[reason];

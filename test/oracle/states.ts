/** R15–R17: the states that the slots of a session carry. */
import type { Definition, StateRule } from "../../src/definitions/definition.ts";
import type { LakeSettings } from "../../src/plan/settings.ts";
import { type Interval, union } from "./intervals.ts";
import type { ClientEvent } from "./read.ts";
import type { Slot } from "./slots.ts";
import type { Evidence } from "./types.ts";

/** R15: what an event itself says about the foreground; null where it says nothing. */
function ownForeground(event: ClientEvent): boolean | null {
  if (event.type === "APP_FOREGROUND") return true;
  if (event.type === "APP_BACKGROUND") return false;
  return event.foreground;
}

/** R15: what each slot's event sets, null for nothing. */
function foregroundSet(slots: readonly Slot[], definition: Definition): (boolean | null)[] {
  const set: (boolean | null)[] = [];
  slots.forEach(({ event }, i) => {
    const own = ownForeground(event);
    // "if no event of its epoch has set a state yet": by sequence, whether by itself or as such a SESSION_START.
    const alreadySet = slots.slice(0, i).some((other, j) => other.event.epoch === event.epoch && set[j] !== null);
    const starts = event.type === "SESSION_START" && definition.foregroundAtStart && !alreadySet;
    set.push(own ?? (starts ? true : null));
  });
  return set;
}

/** The latest value set up to and including each position; false before any. */
function carried(set: readonly (boolean | null)[]): boolean[] {
  let state = false;
  return set.map((value) => {
    state = value ?? state;
    return state;
  });
}

/** R15: whether each slot is foreground; null where no event of the session ever sets the state. */
export function foregroundOf(slots: readonly Slot[], definition: Definition): boolean[] | null {
  const set = foregroundSet(slots, definition);
  return set.every((value) => value === null) ? null : carried(set);
}

/** R17: a column's value as text. Names are the contract's snake_case ones, or the lake's own. */
function columnText(event: ClientEvent, column: string): string | null {
  const contract: Record<string, string | number | boolean | null> = {
    event_id: event.eventId,
    user_id: event.userId,
    session_id: event.sessionId,
    event_type: event.type,
    server_time: event.serverTime,
    sequence: event.sequence,
    session_epoch: event.epoch,
    device_id: event.deviceId,
    client_type: event.clientType,
    channel: event.channel,
    app_version: event.appVersion,
    region: event.region,
    client_time: event.clientTime,
    last_active_at: event.lastActiveAt,
    foreground: event.foreground,
    active: event.active,
  };
  const value = column in contract ? contract[column]! : (event.others[column] ?? null);
  return value === null ? null : String(value);
}

/** R17: what an event sets an own state to, null for nothing. */
function ownStateSet(event: ClientEvent, rule: StateRule): boolean | null {
  if (rule.kind === "types") {
    if (rule.on.includes(event.type)) return true;
    return rule.off.includes(event.type) ? false : null;
  }
  const value = columnText(event, rule.column);
  return value === null ? null : rule.equals.includes(value);
}

/** R17: whether each slot carries an own state. "No initial value": false until set. */
export function ownStateOf(slots: readonly Slot[], rule: StateRule): boolean[] {
  return carried(slots.map(({ event }) => ownStateSet(event, rule)));
}

/** R16: the instant of the interaction that an event tells of, null for none. */
function interactionOf({ event, start: tau }: Slot, settings: LakeSettings): number | null {
  let at: number;
  if (event.lastActiveAt !== null) {
    at =
      event.clientTime === null
        ? Math.min(event.lastActiveAt, tau)
        : tau - Math.max(0, event.clientTime - event.lastActiveAt);
  } else {
    const tellsByType = ["USER_ACTIVE", "APP_FOREGROUND", "SESSION_START"].includes(event.type);
    if (event.active !== true && !(tellsByType && event.active !== false)) return null;
    at = tau;
  }
  // "received more than lookahead after a": server_time − a > lookahead.
  return event.serverTime - at > settings.lookaheadMs ? null : at;
}

/** R16: the union of the session's interactions; the intersection with foreground is taken slot by slot (R18). */
export function interactionsOf(
  slots: readonly Slot[],
  idleMs: number,
  settings: LakeSettings,
  evidence: Evidence,
): Interval[] {
  const intervals: Interval[] = [];
  slots.forEach((slot, i) => {
    const at = interactionOf(slot, settings);
    if (at === null) return;
    let end = at + idleMs;
    slots.forEach((idle, j) => {
      if (idle.event.type !== "USER_IDLE") return;
      // The slots are in the order of (session_epoch, sequence): j >= i is "not below that of the event that told".
      const cuts = idle.start > at || (idle.start === at && j >= i);
      if (!cuts || idle.start >= end) return;
      end = idle.start;
      evidence.idleCuts++;
    });
    intervals.push({ start: at, end });
  });
  return union(intervals);
}

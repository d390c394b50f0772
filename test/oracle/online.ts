/** R18–R20: when each session is online. */
import type { Definition, Expression } from "../../src/definitions/definition.ts";
import type { LakeSettings } from "../../src/plan/settings.ts";
import type { Session } from "./epochs.ts";
import { covers, type Interval, totalLength, union, within } from "./intervals.ts";
import { compareKeys, sortBy } from "./order.ts";
import { type ClientEvent, isCloser } from "./read.ts";
import { type Slot, slotsOf } from "./slots.ts";
import { foregroundOf, interactionsOf, ownStateOf } from "./states.ts";
import type { Evidence, Text } from "./types.ts";

/** A session under one definition. */
export interface CountedSession {
  readonly session: Session;
  /** Of all its accepted client events, by (session_epoch, sequence). */
  readonly slots: readonly Slot[];
  /** The contract: the first non-empty ones of its accepted client events by (session_epoch, sequence). */
  readonly device: Text;
  readonly clientType: Text;
  readonly channel: Text;
  readonly appVersion: Text;
  readonly region: Text;
  /** R15: whether any event sets the foreground state. */
  readonly stateKnown: boolean;
  /** R18: the online time that each slot gives. */
  readonly onlineOfSlot: readonly (readonly Interval[])[];
  /** R18: the union over its epochs. */
  readonly online: readonly Interval[];
  /** R19. */
  readonly tooLong: boolean;
  /** What counts after R19 and R20, not yet cut to the day. */
  readonly counted: readonly Interval[];
}

function evaluate(expression: Expression, states: ReadonlyMap<string, boolean>): boolean {
  if (expression.op === "state") return states.get(expression.name)!;
  if (expression.op === "not") return !evaluate(expression.arg, states);
  const left = evaluate(expression.left, states);
  const right = evaluate(expression.right, states);
  return expression.op === "and" ? left && right : left || right;
}

/** R18: a slot cut where an interaction begins or ends; each piece is online or not as a whole. */
function onlineWithin(
  slot: Slot,
  states: ReadonlyMap<string, boolean>,
  interactions: readonly Interval[],
  expression: Expression,
): Interval[] {
  const edges = interactions.flatMap(({ start, end }) => [start, end]);
  const inside = edges.filter((edge) => edge > slot.start && edge < slot.end);
  const cuts = sortBy(new Set([slot.start, ...inside, slot.end]), (cut) => [cut]);
  const pieces = cuts.slice(1).map((end, i) => ({ start: cuts[i]!, end }));
  return pieces.filter((piece) => {
    const active = states.get("foreground")! && covers(interactions, piece.start);
    return evaluate(expression, new Map([...states, ["active", active]]));
  });
}

const firstNonEmpty = (slots: readonly Slot[], value: (event: ClientEvent) => Text): Text =>
  slots.map(({ event }) => value(event)).find((text) => text !== null) ?? null;

/** R13–R19 for one session. */
function countSession(
  session: Session,
  definition: Definition,
  settings: LakeSettings,
  evidence: Evidence,
): CountedSession {
  const slots = slotsOf(session, definition, settings, evidence);
  const foreground = foregroundOf(slots, definition);
  const own = [...definition.states].map(([name, rule]) => [name, ownStateOf(slots, rule)] as const);
  const interactions = definition.idleMs === null ? [] : interactionsOf(slots, definition.idleMs, settings, evidence);
  const onlineOfSlot = slots.map((slot, i) => {
    const states = new Map<string, boolean>([["connected", true]]);
    states.set("foreground", foreground?.[i] ?? false);
    for (const [name, values] of own) states.set(name, values[i]!);
    return onlineWithin(slot, states, interactions, definition.expression);
  });
  const online = union(onlineOfSlot.flat());
  return {
    session,
    slots,
    device: firstNonEmpty(slots, (event) => event.deviceId),
    clientType: firstNonEmpty(slots, (event) => event.clientType),
    channel: firstNonEmpty(slots, (event) => event.channel),
    appVersion: firstNonEmpty(slots, (event) => event.appVersion),
    region: firstNonEmpty(slots, (event) => event.region),
    stateKnown: foreground !== null,
    onlineOfSlot,
    online,
    // R19: the length of R18's union, as the read window shows it.
    tooLong: definition.maxSessionMs !== null && totalLength(online) > definition.maxSessionMs,
    counted: online,
  };
}

/** R20: a session without a device is a device of its own. */
export const deviceKey = (counted: CountedSession): string =>
  JSON.stringify(counted.device === null ? ["session", counted.session.sessionId] : ["device", counted.device]);

const heardKey = ({ event, start }: Slot) => [start, event.sessionId, event.epoch, event.sequence];

/** R20: where the online time that a slot gives ends, because another device of the user is heard. */
function takenOverAt(slot: Slot, own: CountedSession, all: readonly CountedSession[]): number {
  let at = Infinity;
  for (const other of all) {
    if (other.session.userId !== own.session.userId || deviceKey(other) === deviceKey(own)) continue;
    for (const heard of other.slots) {
      if (isCloser(heard.event)) continue;
      // Of equal τ the greater (session_id, session_epoch, sequence) is the later.
      if (compareKeys(heardKey(heard), heardKey(slot)) > 0) at = Math.min(at, heard.start);
    }
  }
  return at;
}

/** R13–R20: all sessions under one definition. Sessions that R19 quarantines are among them, with nothing counted. */
export function countSessions(
  sessions: readonly Session[],
  definition: Definition,
  settings: LakeSettings,
  evidence: Evidence,
): CountedSession[] {
  const all = sessions.map((session) => countSession(session, definition, settings, evidence));
  return all.map((own) => {
    if (own.tooLong) return { ...own, counted: [] };
    if (definition.devices === "all") return own;
    const left = own.slots.flatMap((slot, i) => {
      const end = takenOverAt(slot, own, all);
      const kept = within(own.onlineOfSlot[i]!, -Infinity, end);
      if (totalLength(kept) < totalLength(own.onlineOfSlot[i]!)) evidence.deviceCuts++;
      return kept;
    });
    return { ...own, counted: union(left) };
  });
}

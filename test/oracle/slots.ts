/** R13 and R14: when events happened under a definition, and how long each of them keeps its session connected. */
import type { Definition } from "../../src/definitions/definition.ts";
import type { LakeSettings } from "../../src/plan/settings.ts";
import { type Epoch, type Session, suffixMinimum } from "./epochs.ts";
import { type ClientEvent, isCloser } from "./read.ts";
import type { Evidence } from "./types.ts";

/** One accepted client event with its τ and its slot `[start, end)`; the slot may be empty. */
export interface Slot {
  readonly event: ClientEvent;
  readonly start: number;
  readonly end: number;
}

/** R13: τ of each of the epoch's `ordered` events. Those that R12 quarantines keep their part in it. */
export function effectiveTimes(epoch: Epoch, definition: Definition): number[] {
  if (definition.lateUpload === "ignore") return [...epoch.tau];
  // "those events" are the client events left by R11 that have a client time.
  const withClock = epoch.ordered.filter((event) => event.clientTime !== null);
  const offset = Math.min(...withClock.map((event) => event.serverTime - event.clientTime!));
  const earliest = Math.min(...withClock.map((event) => event.serverTime));
  const bases = epoch.ordered.map((event) => {
    if (event.clientTime === null) return event.serverTime;
    const delay = event.serverTime - event.clientTime - offset;
    const late = delay > definition.gapMaxMs && delay <= definition.maxShiftMs;
    return late ? Math.max(event.serverTime - delay, earliest) : event.serverTime;
  });
  return suffixMinimum(bases);
}

/** R14: the slots of one epoch, by sequence. */
function slotsOfEpoch(epoch: Epoch, definition: Definition, settings: LakeSettings, evidence: Evidence): Slot[] {
  const tauOf = new Map<ClientEvent, number>();
  effectiveTimes(epoch, definition).forEach((tau, i) => {
    tauOf.set(epoch.ordered[i]!, tau);
  });
  return epoch.accepted.map((event, i) => {
    const start = tauOf.get(event)!;
    const nextEvent = epoch.accepted[i + 1];
    const next = nextEvent === undefined ? Infinity : tauOf.get(nextEvent)!;
    if (start < epoch.tau[epoch.ordered.indexOf(event)]!) evidence.shifted++;
    let length: number;
    if (next - start <= settings.lookaheadMs) {
      length = next - start <= definition.gapMaxMs ? next - start : definition.gapCreditMs;
    } else {
      length = isCloser(event) ? 0 : definition.tailMs;
    }
    const end = Math.min(start + length, next);
    if (epoch.fence < end) evidence.fenceCuts++;
    return { event, start, end: Math.min(end, epoch.fence) };
  });
}

/** R14: the slots of a session by (session_epoch, sequence). */
export function slotsOf(session: Session, definition: Definition, settings: LakeSettings, evidence: Evidence): Slot[] {
  return session.epochs.flatMap((epoch) => slotsOfEpoch(epoch, definition, settings, evidence));
}

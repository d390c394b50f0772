import { formatDuration } from "../plan/duration.ts";
import type { ZoneClock } from "./clock.ts";
import { lasting } from "./clock.ts";
import type { ExplainedDefinition, Interval } from "./explained-definition.ts";
import type { ExplainedEvent, Step } from "./explanation.ts";

/** What an accepted event does under a definition, as phrases: what it earns and why, what it changes, what is cut. */
export function stepText(step: Step, definition: ExplainedDefinition, dayMs: Interval, clock: ZoneClock): string {
  return [
    ...(step.movedByR13 ? [`uploaded late: moved back to ${clock.time(step.tauMs)} [R13]`] : []),
    earningText(step, definition, clock),
    ...changeTexts(step),
    ...interactionTexts(step, clock),
    ...onlineTexts(step, definition),
    ...(step.deviceCut ? [`cut at ${clock.time(step.deviceCut.atMs)} by ${deviceOf(step)} [R20]`] : []),
    ...edgeTexts(step, dayMs),
  ].join("; ");
}

function earningText(step: Step, definition: ExplainedDefinition, clock: ZoneClock): string {
  const { gapMaxMs, gapCreditMs, tailMs } = definition;
  switch (step.earning) {
    case "gap":
      return `next after ${lasting(step.gapMs!)} [R14]`;
    case "credit":
      return `silent for ${lasting(step.gapMs!)}, more than ${formatDuration(gapMaxMs)}: credit ${formatDuration(gapCreditMs)} [R14]`;
    case "closer":
      return "ends the connection: no tail [R14]";
    case "tail": {
      const last = step.gapMs === null ? "last of its connection" : `silent for ${lasting(step.gapMs)}`;
      if (step.cutBy === "fence")
        return `${last}: tail cut at ${clock.time(step.slotEndMs)}, when a newer one took over [R9]`;
      if (step.cutBy === "next-event") return `${last}: tail cut by the next event [R14]`;
      return `${last}: tail ${formatDuration(tailMs)} [R14]`;
    }
  }
}

function changeTexts(step: Step): string[] {
  return step.changes.map((name) =>
    name === "foreground"
      ? `foreground ${step.foreground ? "on" : "off"} [R15]`
      : `${name} ${onOff(step.states.includes(name))} [R17]`,
  );
}

function interactionTexts(step: Step, clock: ZoneClock): string[] {
  if (step.interactionMs === null) return [];
  return [
    step.interactionMs === step.tauMs ? "interaction [R16]" : `interaction at ${clock.time(step.interactionMs)} [R16]`,
  ];
}

/** The states that a definition asks for, as they hold after an event: `: foreground on, watching off`. */
export function heldText(step: Step, definition: ExplainedDefinition): string {
  const asked = statesOf(definition);
  // Activity counts in the foreground only, and cannot be told by one event.
  const states = [...new Set(asked.map((name) => (name === "active" ? "foreground" : name)))];
  return states.length === 0 ? "" : `: ${states.map((name) => stateText(name, step)).join(", ")}`;
}

/** The names in a definition's expression, without what always holds in a slot. */
function statesOf({ online }: ExplainedDefinition): string[] {
  const words = new Set(online.match(/[a-z][a-z0-9_]*/g) ?? []);
  return [...words].filter((word) => !["and", "or", "not", "connected"].includes(word));
}

/** Why the slot is not online, or not all of it. */
function onlineTexts(step: Step, definition: ExplainedDefinition): string[] {
  const length = step.slotEndMs - step.tauMs;
  if (step.onlineMs === length) return [];
  if (step.onlineMs > 0) return [`online for ${lasting(step.onlineMs)} of it [R16]`];
  const off = statesOf(definition).map((word) => stateText(word, step));
  return [`not online: ${off.join(", ")} [R18]`];
}

function stateText(name: string, step: Step): string {
  // The slot is not online at any instant: with the foreground on, that is for want of activity.
  if (name === "active") return step.foreground ? "not active" : "not active, since not in the foreground";
  if (name === "foreground")
    return step.foreground === null ? "foreground not known yet" : `foreground ${onOff(step.foreground)}`;
  return `${name} ${onOff(step.states.includes(name))}`;
}

function edgeTexts({ tauMs, slotEndMs }: Step, { startMs, endMs }: Interval): string[] {
  return [startMs, endMs].filter((edge) => tauMs < edge && slotEndMs > edge).map(() => "cut at midnight [R22]");
}

const onOff = (is: boolean): string => (is ? "on" : "off");

const deviceOf = ({ deviceCut }: Step): string =>
  deviceCut?.by ? `${deviceCut.by.type} of session ${deviceCut.by.sessionId} on another device` : "another device";

/** `… 118 more HEARTBEAT to #120, 30.000s apart: all accepted, each gap counts whole [R14]`. */
export function foldText(event: ExplainedEvent, metricNo: number): string {
  const { count: events, types, outsideDay, minStepMs, maxStepMs, lastSequence, steps } = event.folded!;
  const apart = minStepMs === maxStepMs ? lasting(minStepMs) : `${lasting(minStepMs)} to ${lasting(maxStepMs)}`;
  const names = Object.entries(types);
  const what =
    names.length === 1
      ? ` ${names[0]![0]}`
      : ` (${names.map(([type, ofType]) => `${ofType.toLocaleString("en")} ${type}`).join(", ")})`;
  const first = event.steps[metricNo];
  const step = steps[metricNo];
  const counts = outsideDay
    ? "outside of the day [R22]"
    : first?.deviceCut
      ? "each cut when another device was heard [R20]"
      : step && step.onlineMs === step.slotMs
        ? "each gap counts whole [R14]"
        : "states as before";
  return `… ${events.toLocaleString("en")} more${what}${lastSequence === null ? "" : ` to #${lastSequence}`}, ${apart} apart: all accepted, ${counts}`;
}

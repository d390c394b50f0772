import { lasting, type ZoneClock } from "../explain/clock.ts";
import type { ExplainedDefinition } from "../explain/explained-definition.ts";
import type { Explanation } from "../explain/explanation.ts";
import { formatDuration } from "../plan/duration.ts";
import { type Paint, printable } from "./ansi.ts";
import { count, countOf } from "./format.ts";
import { wrap } from "./wrap.ts";

const WIDTH = 98;

/** The answer, what it was computed from, and what the definitions say. */
export function headText(explanation: Explanation, clock: ZoneClock, paint: Paint): string[] {
  const { zone, definitions, dayMs, readMs, source, counts, notes } = explanation;
  const quarantined = Object.values(counts.quarantined).reduce((sum, events) => sum + events, 0);
  const others = counts.events - counts.ofUser;
  const facts = [
    `The day in ${zone} is ${clock.full(dayMs.startMs)} to ${clock.full(dayMs.endMs)}; read: ${clock.time(readMs.startMs)} to ${clock.time(readMs.endMs)} [R1].`,
    `${countOf(counts.events, "event")}${others > 0 ? ` (${count(others)} of other users in the same sessions)` : ""} in ${count(source.filesWithRows)} of ${countOf(source.files, "file")}: ${count(counts.accepted)} accepted, ${count(quarantined)} quarantined.`,
    ...definitions.map(definitionText),
    ...notes.map((note) => `Note: ${printable(note)}.`),
  ];
  return [...answers(explanation, paint), "", ...facts.flatMap((fact) => wrap(fact, WIDTH))];
}

/** The answer alone, a line for each definition and what the mart says of it. */
export const answerText = (explanation: Explanation, paint: Paint): string =>
  answers(explanation, paint)
    .map((line) => `${line}\n`)
    .join("");

function answers({ userId, day, definitions }: Explanation, paint: Paint): string[] {
  return definitions.flatMap((definition) => [
    paint.bold(
      `User ${printable(userId)} was online for ${lasting(definition.onlineMs)} (${count(definition.onlineMs)} ms) on ${day} under ${id(definition)}.`,
    ),
    ...martLines(definition, paint),
  ]);
}

function martLines({ mart, onlineMs }: ExplainedDefinition, paint: Paint): string[] {
  switch (mart.kind) {
    case "not-asked":
      return ["Computed from the lake as it is now; no mart was asked (--out)."];
    case "not-built":
      return ["Computed from the lake as it is now; the mart does not have this day of this definition."];
    case "row":
      if (mart.equal) return [`The mart says the same (run ${mart.runId}).`];
      return [
        paint.red(
          `The mart says ${lasting(mart.onlineMs)} (${count(mart.onlineMs)} ms, run ${mart.runId}): a difference of ${count(Math.abs(mart.onlineMs - onlineMs))} ms.`,
        ),
      ];
  }
}

/** A definition in a sentence, with the numbers that the lines below refer to. */
function definitionText(definition: ExplainedDefinition): string {
  const { online, gapMaxMs, gapCreditMs, tailMs, idleMs, devices, lateUpload, maxSessionMs } = definition;
  return [
    `${id(definition)}: ${online}`,
    `gaps up to ${formatDuration(gapMaxMs)} count whole, longer ones ${formatDuration(gapCreditMs)}, the tail ${formatDuration(tailMs)}`,
    ...(idleMs === null ? [] : [`idle after ${formatDuration(idleMs)}`]),
    ...(devices === "latest" ? ["only the device that was heard last"] : []),
    ...(lateUpload === "compensate" ? ["late uploads are moved back"] : []),
    ...(maxSessionMs === null ? [] : [`sessions of more than ${formatDuration(maxSessionMs)} count nothing`]),
  ]
    .join("; ")
    .concat(".");
}

export const id = ({ name, version }: Pick<ExplainedDefinition, "name" | "version">): string => `${name}@${version}`;

import type { DayResult, RebuildResult } from "../usecases/rebuild-result.ts";
import { type Paint, printable } from "./ansi.ts";
import { clocks, count, countOf, seconds, share } from "./format.ts";
import { type Column, table } from "./table.ts";

const COLUMNS: readonly Column[] = [
  { title: "day", align: "left" },
  { title: "definition", align: "left" },
  { title: "users", align: "right" },
  { title: "online h:mm:ss", align: "right" },
  { title: "session h:mm:ss", align: "right" },
  { title: "sessions", align: "right" },
  { title: "events", align: "right" },
  { title: "quarantined", align: "right" },
  { title: "seconds", align: "right" },
];

/** More files than this are counted only; all of them are in the mart and in the JSON. */
const MAX_FILES_SHOWN = 10;

/** The result for people: a table of days and definitions, and below it what of a day needs a look and no warning has told. */
export function rebuildReport(result: RebuildResult, paint: Paint): string {
  if (result.days.length === 0) return "no day to rebuild\n";
  const notes = result.days.flatMap((day) => dayNotes(day, paint));
  return [dayTable(result.days, paint), ...[...notes, ...outcome(result)].map((line) => `${line}\n`)].join("");
}

function outcome({ days, out }: RebuildResult): string[] {
  const those = (published: DayResult["published"]) => days.filter((day) => day.published === published);
  const [files, inputs, nothing] = [those("files"), those("inputs"), those("nothing")];
  const run = files.length === 1 ? ` by run ${files[0]!.runId}` : "";
  return [
    ...(files.length ? [`${countOf(files.length, "day")} published to ${printable(out)}${run}`] : []),
    ...(inputs.length ? [`${countOf(inputs.length, "day")} with the same rows as before: new inputs recorded`] : []),
    ...(nothing.length ? [`${countOf(nothing.length, "day")} already there: nothing to publish`] : []),
  ];
}

function dayTable(days: readonly DayResult[], paint: Paint): string {
  // Both columns to the same precision, so that they compare at a glance.
  const times = clocks(days.flatMap((day) => day.metrics.flatMap(({ onlineMs, sessionMs }) => [onlineMs, sessionMs])));
  let at = 0;
  const rows = days.flatMap((day) =>
    day.metrics.map((metric, i) => [
      day.complete ? day.day : `${day.day}*`,
      `${metric.metric}@${metric.version}`,
      count(metric.users),
      times[at++]!,
      times[at++]!,
      count(metric.sessions),
      // Of the day, not of a definition: given once, so that nobody adds it up.
      ...(i === 0 ? [count(day.events.accepted), count(quarantined(day)), seconds(day.seconds)] : ["", "", ""]),
    ]),
  );
  return table(COLUMNS, rows, paint);
}

function quarantined(day: DayResult): number {
  return Object.values(day.events.quarantined).reduce((sum, events) => sum + events, 0);
}

function dayNotes(day: DayResult, paint: Paint): string[] {
  const notes: string[] = [];
  const note = (text: string) => notes.push(`${day.day} ${text}`);
  if (!day.complete) {
    const why = printable(day.incompleteBecause.join("; ")) || "no reason given";
    notes.push(paint.yellow(`* ${day.day} is incomplete: ${why}`));
  }
  const { events } = day;
  const reasons = byReason(events.quarantined, events.owned);
  if (reasons) note(`quarantined of ${countOf(events.owned, "event")}: ${reasons}`);
  for (const metric of day.metrics) {
    const id = `${metric.metric}@${metric.version}`;
    if (metric.quarantinedSessions) note(`${id}: ${countOf(metric.quarantinedSessions, "session")} quarantined`);
    if (metric.sessionsOfUnknownState) {
      note(`${id}: ${countOf(metric.sessionsOfUnknownState, "session")} whose foreground state no event tells`);
    }
  }
  for (const file of day.badFiles.slice(0, MAX_FILES_SHOWN)) {
    note(printable(`bad file ${file.path}: ${file.reason}${file.detail ? `, ${file.detail}` : ""}`));
  }
  const hidden = day.badFiles.length - MAX_FILES_SHOWN;
  if (hidden > 0) note(`${countOf(hidden, "more bad file")}: see the table quarantined_files`);
  return notes;
}

/** `LATE 8 (0.65%), STALE_TIMEOUT 4 (0.32%)`: the largest first. */
function byReason(quarantined: Readonly<Record<string, number>>, owned: number): string {
  return Object.entries(quarantined)
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([reason, n]) => `${printable(reason)} ${count(n)} (${share(n, owned)})`)
    .join(", ");
}

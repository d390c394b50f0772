import type { PlannedDay, RebuildPlan } from "../usecases/rebuild-result.ts";
import { type Paint, printable } from "./ansi.ts";
import { bytes, clocks, count, countOf } from "./format.ts";
import { type Column, table } from "./table.ts";

const DEFINITION_COLUMNS: readonly Column[] = [
  { title: "definition", align: "left" },
  { title: "online", align: "left" },
  { title: "hash", align: "left" },
];

/** The plan of a run for people: what would be read, computed and written, and why. */
export function planReport(plan: RebuildPlan, paint: Paint): string {
  const lines = ["dry run: nothing was computed or written", ""];
  lines.push(`time zone  ${plan.zone}`, `lake       ${printable(plan.lake)}`, `mart       ${printable(plan.out)}`, "");
  const definitions = plan.definitions.map(({ metric, version, online, hash }) => [
    `${metric}@${version}`,
    printable(online),
    hash.slice(0, 12),
  ]);
  lines.push(table(DEFINITION_COLUMNS, definitions, paint));
  if (plan.days.length === 0) lines.push("no day to rebuild");
  for (const day of plan.days) lines.push(...dayLines(day, paint), "");
  for (const reason of plan.refused) lines.push(paint.yellow(`not to be built: ${printable(reason)}`), "");
  lines.push(...oddityLines(plan));
  const stages = plan.days[0]?.stages ?? [];
  if (stages.length) lines.push(`each day is computed in ${countOf(stages.length, "stage")}: ${stages.join(", ")}`);
  return `${lines.join("\n").trimEnd()}\n`;
}

function dayLines(day: PlannedDay, paint: Paint): string[] {
  const length = clocks([Date.parse(day.end) - Date.parse(day.start)])[0]!;
  return [
    paint.bold(day.day),
    `  counts   ${day.start} to ${day.end} (${length})`,
    `  reads    ${day.readFrom} to ${day.readTo}: ${countOf(day.files, "file")}, ${bytes(day.bytes)}`,
    ...day.why.map((found) => `  because  ${found.definition} is ${stateOf(found)}`),
    ...hours("the day itself lacks", day.missingHours).map((text) => paint.yellow(text)),
    ...hours("the margins lack", day.missingMarginHours),
    ...day.outputs.map((output) => `  writes   ${printable(output)}`),
  ];
}

function stateOf({ state, reasons }: PlannedDay["why"][number]): string {
  return reasons.length === 0 ? state : `${state} (${reasons.join(", ")} changed)`;
}

/** What lies in the lake without being data; the days of a plan share most of it. */
function oddityLines({ days }: RebuildPlan): string[] {
  const reasons = new Map(days.flatMap((day) => day.oddities.map(({ path, reason }) => [path, reason] as const)));
  if (reasons.size === 0) return [];
  return ["not read:", ...[...reasons].map(([path, reason]) => `  ${printable(path)} (${printable(reason)})`), ""];
}

const MAX_HOURS_SHOWN = 6;

function hours(what: string, missing: readonly string[]): string[] {
  if (missing.length === 0) return [];
  const shown = missing.slice(0, MAX_HOURS_SHOWN).join(", ");
  const more = missing.length - MAX_HOURS_SHOWN;
  const list = more > 0 ? `${shown} and ${count(more)} more` : shown;
  return [`  missing  ${what} ${countOf(missing.length, "hour")} of UTC: ${list}`];
}

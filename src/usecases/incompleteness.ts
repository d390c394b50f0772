import type { BadFile } from "../lake/bad-file.ts";
import { type DayPlan, hourName } from "./day-plan.ts";

/** Why a day's result is not complete, a line each; empty where it is. */
export function incompleteness(day: DayPlan, badFiles: readonly BadFile[]): string[] {
  return [
    ...(day.unfinished ? ["the day was not over when it was built"] : []),
    ...(day.missingHours.length > 0 ? [`hours without data (UTC): ${day.missingHours.map(hourName).join(", ")}`] : []),
    ...(badFiles.length > 0 ? [`bad files left out: ${badFiles.map(({ relative }) => relative).join(", ")}`] : []),
  ];
}

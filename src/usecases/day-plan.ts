import { checkBounds } from "../definitions/bounds.ts";
import type { Definition } from "../definitions/definition.ts";
import { resolveDefinitions } from "../definitions/resolve.ts";
import { inputError } from "../errors.ts";
import type { LakeFile } from "../lake/lake-file.ts";
import { type LakeListing, listLake, type Oddity } from "../lake/listing.ts";
import { HOUR_MS } from "../lake/partition.ts";
import type { DayWindow, ReadWindow } from "../plan/day-window.ts";
import { dayWindow, readWindow, resolveDays, utcHours } from "../plan/days.ts";
import type { RebuildOptions } from "../plan/rebuild-options.ts";
import { type LakeEffects, lakeStore } from "./lake-access.ts";
import type { MartEffects } from "./mart-access.ts";

/** One day of a run: what is read for it, and what is known to be missing. */
export interface DayPlan {
  readonly window: DayWindow;
  readonly readWindow: ReadWindow;
  /** Files of the hours whose events may lie in the read window. */
  readonly files: readonly LakeFile[];
  /** The day's own UTC hours without a partition, as starts in ms. */
  readonly missingHours: readonly number[];
  /** Hours of the margins without a partition: noted only. */
  readonly missingMarginHours: readonly number[];
  /** The day is not over, or its lookahead is not. */
  readonly unfinished: boolean;
}

export const bytesOf = (day: DayPlan): number => day.files.reduce((sum, { bytes }) => sum + bytes, 0);

export interface RunPlan {
  readonly days: readonly DayPlan[];
  readonly oddities: readonly Oddity[];
}

/** The definitions of a run, checked against the mart's settings. Reads no lake. */
export function planDefinitions({ metrics, settings }: Pick<RebuildOptions, "metrics" | "settings">): Definition[] {
  const definitions = resolveDefinitions(metrics, { settings, cwd: process.cwd() });
  for (const definition of definitions) checkBounds(definition, settings);
  return definitions;
}

export type DayOptions = Pick<RebuildOptions, "days" | "zone" | "settings" | "lake">;

/** Plans days as values: `--dry-run` prints them, a run walks them. Reads names of the lake only, no file. */
export async function planDays(
  options: DayOptions,
  effects: LakeEffects & Pick<MartEffects, "nowMs">,
): Promise<RunPlan> {
  const { settings, zone } = options;
  const { nowMs } = effects;
  const windows = resolveDays(options.days, zone, nowMs).map((day) => dayWindow(zone, day));
  const reads = windows.map((window) => readWindow(window, settings));
  const hours = {
    fromMs: Math.min(...reads.map((read) => read.startMs)) - settings.partitionSlackMs,
    toMs: Math.max(...reads.map((read) => read.endMs)) + settings.partitionSlackMs,
  };
  const listing = await listLake(options.lake, hours, lakeStore(options.lake, effects));
  return {
    oddities: listing.oddities,
    days: windows.map((window) => planDay(window, options, listing, nowMs)),
  };
}

function planDay(window: DayWindow, { settings }: DayOptions, listing: LakeListing, nowMs: number): DayPlan {
  const read = readWindow(window, settings);
  const slack = settings.partitionSlackMs;
  const there = new Set(listing.hours);
  const own = utcHours(window.startMs, window.endMs);
  const missing = utcHours(read.startMs, read.endMs).filter((hour) => !there.has(hour));
  return {
    window,
    readWindow: read,
    files: listing.files.filter(({ hourMs }) => hourMs - slack < read.endMs && hourMs + HOUR_MS + slack > read.startMs),
    missingHours: missing.filter((hour) => own.includes(hour)),
    missingMarginHours: missing.filter((hour) => !own.includes(hour)),
    unfinished: nowMs < read.endMs,
  };
}

/** Throws exit 3 where the plan's input does not allow a result of the day. `oddities` may be why an hour is missing. */
export function assertBuildable(
  day: DayPlan,
  options: Pick<RebuildOptions, "allowUnfinished" | "missingHours">,
  oddities: readonly Oddity[] = [],
): void {
  const { window, missingHours } = day;
  if (day.unfinished && !options.allowUnfinished) {
    throw inputError(
      `${window.day} is not over yet: its events may arrive until ${new Date(day.readWindow.endMs).toISOString()}`,
      "Run again after that, or with --allow-unfinished for an incomplete result.",
    );
  }
  if (missingHours.length > options.missingHours) {
    const named = missingHours.slice(0, 3).map(hourName).join(", ");
    const more = missingHours.length > 3 ? `, … (${missingHours.length} of ${hoursOf(window)})` : "";
    const all = missingHours.length === hoursOf(window);
    const advice = all
      ? "The lake has nothing of this day: check the day, --tz and --lake, or let the lake fill up and run again."
      : `Let the lake fill up and run again, or accept an incomplete result with --missing-hours ${missingHours.length}.`;
    throw inputError(
      `${window.day} lacks ${missingHours.length === 1 ? "an hour" : "hours"} of the lake (UTC): ${named}${more}`,
      notRead(oddities) + advice,
    );
  }
}

function notRead(oddities: readonly Oddity[]): string {
  if (oddities.length === 0) return "";
  const named = oddities.slice(0, 3).map(({ path, reason }) => `${path} (${reason})`);
  return `Not read: ${named.join(", ")}${oddities.length > 3 ? `, … (${oddities.length} in all)` : ""}. `;
}

/** `2026-07-29T16` in UTC. */
export function hourName(hourMs: number): string {
  return new Date(hourMs).toISOString().slice(0, 13);
}

const hoursOf = (window: DayWindow): number => utcHours(window.startMs, window.endMs).length;

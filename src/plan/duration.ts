import { usageError } from "../errors.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const SHAPE = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/;

/** How a duration is written, for messages about missing or wrong ones. */
export const DURATION_EXAMPLES = "a duration such as 500ms, 90s, 5m, 24h, 1h30m or 0";

/**
 * Whole milliseconds of `500ms`, `90s`, `5m`, `24h`, `1h30m`, `0`: units h, m, s, ms in this order, each at most once.
 * There are no days: a business day may have 23 or 25 hours. Anything else is a usage error.
 */
export function parseDuration(text: string): number {
  if (text === "0") return 0;
  const parts = text === "" ? null : SHAPE.exec(text);
  if (!parts) throw usageError(`${JSON.stringify(text)} is not ${DURATION_EXAMPLES}`, durationHint(text));
  const [h, m, s, ms] = parts.slice(1).map((digits) => Number(digits ?? 0)) as [number, number, number, number];
  const total = h * HOUR + m * MINUTE + s * SECOND + ms;
  if (!Number.isSafeInteger(total)) throw usageError(`${JSON.stringify(text)} is too long a duration`);
  return total;
}

function durationHint(text: string): string | undefined {
  const compact = text.replace(/\s+/g, "").toLowerCase();
  if (/^\d+$/.test(compact)) return `a unit is missing: write ${compact}s or ${compact}ms`;
  const days = /^(\d{1,6})d$/.exec(compact);
  if (days) return `a day is not always 24 hours: write ${Number(days[1]) * 24}h`;
  if (/^\d+\.\d+/.test(compact)) return "write whole numbers and a smaller unit, 1h30m for 1.5h";
  if (compact !== text && compact !== "" && SHAPE.test(compact)) return `write ${compact}`;
  return undefined;
}

/** The text that parseDuration reads as `ms`: one unit below two minutes (`90s`), else the largest ones (`1h30m`). */
export function formatDuration(ms: number): string {
  if (ms === 0) return "0";
  if (ms < 2 * MINUTE) return ms % SECOND === 0 ? `${ms / SECOND}s` : `${ms}ms`;
  const parts: [number, string][] = [
    [Math.floor(ms / HOUR), "h"],
    [Math.floor((ms % HOUR) / MINUTE), "m"],
    [Math.floor((ms % MINUTE) / SECOND), "s"],
    [ms % SECOND, "ms"],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${unit}`)
    .join("");
}

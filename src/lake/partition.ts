/** What the name of a folder in the lake says. Times are ms of Unix time (UTC). */
export type PartitionName =
  | { readonly kind: "date"; readonly dayMs: number }
  /** Hour of the day, 0 to 23. */
  | { readonly kind: "hour"; readonly hour: number }
  /** Any other `key=value`: accepted as the one level above the date. */
  | { readonly kind: "other"; readonly key: string }
  /** A date or hour key whose value is neither. */
  | { readonly kind: "unreadable"; readonly reason: string };

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

const DATE_KEYS = new Set(["event_date", "date", "dt"]);
const HOUR_KEYS = new Set(["event_hour", "hour", "hr"]);
const HIVE_NULL = "__HIVE_DEFAULT_PARTITION__";

/** Files and folders that are no data: their name begins with `_` or `.`; Hive's folder for null keys is not one of them. */
export function isHidden(name: string): boolean {
  return (name.startsWith("_") || name.startsWith(".")) && name !== HIVE_NULL;
}

/** Reads a folder's name as `key=value`; null where it is not of that form. */
export function parsePartitionName(name: string): PartitionName | null {
  const equals = name.indexOf("=");
  if (equals < 1) {
    return null;
  }
  const key = name.slice(0, equals);
  const value = unescapeHive(name.slice(equals + 1));
  if (DATE_KEYS.has(key)) {
    const dayMs = parseDay(value);
    return dayMs === null ? unreadable(value, "date (YYYY-MM-DD)") : { kind: "date", dayMs };
  }
  if (HOUR_KEYS.has(key)) {
    const hour = /^\d{1,2}$/.test(value) ? Number(value) : 24;
    return hour > 23 ? unreadable(value, "hour (00 to 23)") : { kind: "hour", hour };
  }
  return { kind: "other", key };
}

function unreadable(value: string, expected: string): PartitionName {
  const reason = value === HIVE_NULL ? "the partition key is null" : `${JSON.stringify(value)} is no ${expected}`;
  return { kind: "unreadable", reason };
}

/** Hive writes some characters of a key as %XX. A value that is no valid escape is left as it stands. */
function unescapeHive(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function parseDay(value: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (!match) {
    return null;
  }
  const dayMs = Date.parse(`${value}T00:00:00Z`);
  // Date.parse takes 02-30 for 03-02.
  return Number.isNaN(dayMs) || new Date(dayMs).toISOString().slice(0, 10) !== value ? null : dayMs;
}

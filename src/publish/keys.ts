/** Where things lie below a mart's root. `_presence/` holds the truth; the tables beside it are its published face. */

export const TRUTH = "_presence/";
export const MART_KEY = `${TRUTH}mart.json`;
export const RUNS = `${TRUTH}runs/`;
export const COMMITS = `${TRUTH}commits/`;
export const DEFINITIONS = `${TRUTH}definitions/`;
export const EVENT_TYPES = `${TRUTH}event-types/`;
export const PUBLISHING = `${TRUTH}publishing/`;
export const DRIFT = `${TRUTH}drift/`;

export const runKey = (runId: string, path: string): string => `${RUNS}${runId}/${path}`;
export const manifestKey = (runId: string): string => runKey(runId, "manifest.json");
export const commitsOf = (date: string): string => `${COMMITS}${partitionOf(date)}/`;
export const commitKey = (date: string, number: number): string => `${commitsOf(date)}${numbered(number)}`;
export const definitionKey = (id: string): string => `${DEFINITIONS}${id}.json`;
export const eventTypesKey = (number: number): string => `${EVENT_TYPES}${numbered(number)}`;
export const driftOf = (date: string): string => `${DRIFT}date=${date}/`;
export const driftKey = (date: string, number: number): string => `${driftOf(date)}${numbered(number)}`;
export const publishingOf = (date: string): string => `${PUBLISHING}${partitionOf(date)}/`;

const numbered = (number: number): string => `${String(number).padStart(8, "0")}.json`;

/** The number in the name of a commit, a comparison or a list of event types; null for anything else. */
export function numberOf(key: string): number | null {
  const [, digits] = /\/(\d{8,15})\.json$/.exec(key) ?? [];
  return digits === undefined ? null : Number(digits);
}

/** What a commit is of, as a partition: a date, or the week or month of a rollup, which is committed as a date is. */
export function partitionOf(date: string): string {
  if (/^\d{4}-W\d{2}$/.test(date)) return `week=${date}`;
  return /^\d{4}-\d{2}$/.test(date) ? `month=${date}` : `date=${date}`;
}

/** The date, week or month in the key of a commit, a comparison, a mark or a published file. */
export function dateOf(key: string): string | null {
  const [, date, week, month] =
    /\/(?:date=(\d{4}-\d{2}-\d{2})|week=(\d{4}-W\d{2})|month=(\d{4}-\d{2}))\//.exec(key) ?? [];
  return date ?? week ?? month ?? null;
}

/** The run that a key below `runs/` belongs to. */
export function runOf(key: string): string | null {
  return key.startsWith(RUNS) ? (key.slice(RUNS.length).split("/", 1)[0] ?? null) : null;
}

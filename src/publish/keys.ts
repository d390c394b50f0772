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
export const commitsOf = (date: string): string => `${COMMITS}date=${date}/`;
export const commitKey = (date: string, number: number): string => `${commitsOf(date)}${numbered(number)}`;
export const definitionKey = (id: string): string => `${DEFINITIONS}${id}.json`;
export const eventTypesKey = (number: number): string => `${EVENT_TYPES}${numbered(number)}`;
export const driftOf = (date: string): string => `${DRIFT}date=${date}/`;
export const driftKey = (date: string, number: number): string => `${driftOf(date)}${numbered(number)}`;
export const publishingOf = (date: string): string => `${PUBLISHING}date=${date}/`;

const numbered = (number: number): string => `${String(number).padStart(8, "0")}.json`;

/** The number in the name of a commit, a comparison or a list of event types; null for anything else. */
export function numberOf(key: string): number | null {
  const [, digits] = /\/(\d{8,15})\.json$/.exec(key) ?? [];
  return digits === undefined ? null : Number(digits);
}

/** The date in the key of a commit, a comparison or a mark. */
export function dateOf(key: string): string | null {
  return /\/date=(\d{4}-\d{2}-\d{2})\//.exec(key)?.[1] ?? null;
}

/** The run that a key below `runs/` belongs to. */
export function runOf(key: string): string | null {
  return key.startsWith(RUNS) ? (key.slice(RUNS.length).split("/", 1)[0] ?? null) : null;
}
